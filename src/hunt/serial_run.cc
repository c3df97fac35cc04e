// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/serial_run.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace omnium::hunt {

namespace {

using wire::SerialBoard;
using wire::SerialOff;

void set_text(char* to, std::size_t size, std::string_view text) {
  std::memset(to, 0, size);
  std::memcpy(to, text.data(), std::min(size - 1, text.size()));
}

std::string_view why_off(SerialOff off) {
  switch (off) {
    case SerialOff::kNot: return "";
    case SerialOff::kThreads: return "it has too many threads";
    case SerialOff::kStuck: return "a thread ran for long without coming to a point";
    case SerialOff::kStart: return "a thread was created and did not begin";
    case SerialOff::kPoints: return "it came to too many points";
  }
  return "";
}

}  // namespace

Result<SerialFile> SerialFile::create(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return fail({path}, "cannot be created");
  void* memory = MAP_FAILED;
  if (::ftruncate(file, sizeof(SerialBoard)) == 0) {
    memory = ::mmap(nullptr, sizeof(SerialBoard), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  ::close(file);
  if (memory == MAP_FAILED) return fail({path}, "cannot be mapped");
  return SerialFile(static_cast<SerialBoard*>(memory));
}

SerialFile::SerialFile(SerialFile&& other) noexcept
    : board_(std::exchange(other.board_, nullptr)) {}

SerialFile::~SerialFile() {
  if (board_ != nullptr) ::munmap(board_, sizeof(*board_));
}

std::uint32_t SerialFile::module_number(const std::string& path) {
  for (std::uint32_t i = 0; i < board_->wanted_modules; ++i) {
    if (path == board_->module_paths[i]) return i;
  }
  if (board_->wanted_modules == SerialBoard::kMostModules) return SerialBoard::kMostModules;
  set_text(board_->module_paths[board_->wanted_modules], sizeof(board_->module_paths[0]), path);
  return board_->wanted_modules++;
}

void SerialFile::write(const SerialPlan& plan) {
  board_->version = wire::kSerialVersion;
  board_->strategy = plan.strategy;
  board_->seed = plan.seed;
  board_->length = plan.length;
  board_->begin = plan.begin;
  board_->depth = plan.depth;
  board_->selected = plan.selected;
  board_->rule = plan.rule;
  board_->hasty = plan.hasty ? 1 : 0;
  board_->clock_start = plan.clock_start;
  board_->loose = plan.loose ? 1 : 0;
  board_->wanted_modules = board_->wanted_places = board_->wanted_switches = 0;
  board_->wanted_counts = 0;
  const auto place_of = [&](const Code& code) {
    return wire::SerialPlace{module_number(code.module), 0, code.address};
  };
  const auto add_place = [&](const Code& code) {
    if (board_->wanted_places < SerialBoard::kMostPlaces) {
      board_->places[board_->wanted_places++] = place_of(code);
    }
  };
  for (const Code& code : plan.places) add_place(code);
  for (const Switch& one : plan.switches) {
    if (board_->wanted_switches == SerialBoard::kMostSwitches) break;
    wire::SerialSwitch& to = board_->switches[board_->wanted_switches++];
    to = {};
    set_text(to.from.text, sizeof(to.from.text), one.from);
    set_text(to.to.text, sizeof(to.to.text), one.to);
    to.visit = one.visit;
    to.forced = one.forced ? 1 : 0;
    if (one.forced) continue;
    to.place = place_of(one.place);
    if (!plan.places.contains(one.place)) add_place(one.place);
  }
  for (const wire::SerialThreadCount& count : plan.counts) {
    if (board_->wanted_counts == SerialBoard::kMostThreads) break;
    board_->counts[board_->wanted_counts++] = count;
  }
  board_->off = SerialOff::kNot;
  for (auto* number : {&board_->started, &board_->unsettled, &board_->timed, &board_->diverged,
                       &board_->modules_seen, &board_->threads_seen, &board_->places_seen,
                       &board_->switches_made, &board_->points_seen}) {
    *number = 0;
  }
  std::memset(board_->thread_counts, 0, sizeof(board_->thread_counts));
  std::memset(board_->features, 0, sizeof(board_->features));
  board_->last_new = 0;
}

Code SerialFile::code_at(std::uint64_t pc) const {
  for (std::uint32_t i = 0; i < board_->modules_seen; ++i) {
    const wire::SerialModule& module = board_->modules[i];
    if (module.begin <= pc && pc < module.end) return {module.path, pc - module.bias};
  }
  return {"", pc};
}

Switch SerialFile::made(const wire::SerialSwitch& one) const {
  return {one.from.text,   one.to.text,
          one.forced != 0, one.forced != 0 ? Code{} : code_at(one.place.address),
          one.visit,       one.time};
}

SerialResult SerialFile::read() {
  SerialResult out;
  const SerialOff off = board_->off;
  out.is_serial = board_->started != 0 && off == SerialOff::kNot;
  out.is_exact = out.is_serial && board_->switches_made <= SerialBoard::kMostSwitches;
  out.why_not = board_->started == 0 ? "it did not start" : why_off(off);
  for (std::uint32_t i = 0; i < board_->switches_made && i < SerialBoard::kMostSwitches; ++i) {
    out.switches.push_back(made(board_->made[i]));
    // A place outside of all modules means nothing in another run.
    out.is_exact &= out.switches.back().forced || !out.switches.back().place.module.empty();
  }
  out.knows_time = board_->timed != 0;
  out.point_count = board_->points_seen;
  for (std::uint32_t i = 0; i < board_->points_seen && i < SerialBoard::kMostPoints; ++i) {
    const wire::SerialPoint& point = board_->points[i];
    if (point.thread >= SerialBoard::kMostThreads) continue;
    out.points.push_back(
        {board_->thread_counts[point.thread].path.text, code_at(point.pc), point.visit});
  }
  for (std::uint32_t i = 0; i < std::min(board_->threads_seen.load(), SerialBoard::kMostThreads);
       ++i) {
    out.counts.push_back(board_->thread_counts[i]);
  }
  for (std::uint32_t i = 0; i < board_->places_seen && i < SerialBoard::kMostPlaces; ++i) {
    const Code code = code_at(board_->shared_places[i]);
    if (!code.module.empty()) out.places.insert(code);
  }
  out.last_new = board_->last_new;
  for (std::uint32_t i = 0; i < SerialBoard::kFeatureWords; ++i) {
    board_->known[i] |= board_->features[i];
  }
  for (std::uint32_t i = 0; i < board_->wanted_switches && out.not_reached == 0; ++i) {
    if (board_->switches[i].reached == 0) out.not_reached = i + 1;
  }
  if (board_->diverged != 0) out.not_reached = board_->diverged;
  return out;
}

std::string in_words(const Switch& one) {
  if (one.forced) {
    return fmt::format("{} instead of another thread, after stop {} of thread {}", one.to,
                       one.visit, one.from);
  }
  const std::size_t slash = one.place.module.rfind('/');
  return fmt::format("thread {} at visit {} of {}:{:x}, from thread {}", one.to, one.visit,
                     one.place.module.substr(slash == std::string::npos ? 0 : slash + 1),
                     one.place.address, one.from);
}

}  // namespace omnium::hunt
