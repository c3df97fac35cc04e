// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/live_check.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "cli/trace_output.h"
#include "wire/raw_log.h"

namespace omnium::cli {

namespace fs = std::filesystem;

namespace {

constexpr auto kPause = std::chrono::milliseconds(5);

// In memory if possible: little is in the logs at any time.
std::string place_for_logs() {
  if (const char* wanted = std::getenv("TMPDIR"); wanted != nullptr && *wanted != '\0') {
    return wanted;
  }
  return ::access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
}

// Tells the program that somebody reads what it writes, as long as the descriptor is open.
bool take_lock(int descriptor) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = wire::kRawReaderByte;
  lock.l_len = 1;
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}

}  // namespace

Result<std::unique_ptr<LiveCheck>> LiveCheck::prepare(Settings settings) {
  if (!settings.trace.empty()) {
    if (const auto format = output_format(settings.trace, ""); !format) {
      return tl::unexpected(format.error());
    }
  }
  std::string folder = place_for_logs() + "/omnium-XXXXXX";
  if (folder.find(':') != std::string::npos) {
    return fail({folder}, "the folder for temporary files (TMPDIR) cannot contain ':'");
  }
  if (::mkdtemp(folder.data()) == nullptr) return fail({folder}, std::strerror(errno));
  const std::string path = folder + "/log";
  support::Descriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!lock || !take_lock(lock.get())) {
    const int error = errno;
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return fail({path}, fmt::format("cannot write: {}", std::strerror(error)));
  }
  return std::unique_ptr<LiveCheck>(
      new LiveCheck(std::move(settings), std::move(folder), std::move(lock)));
}

LiveCheck::~LiveCheck() {
  over_ = given_up_ = true;
  if (finder_.joinable()) finder_.join();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void LiveCheck::start() {
  finder_ = std::thread([this] { find_logs(); });
}

// A forked process that creates threads writes a log beside that of the program: "log.PID".
void LiveCheck::look_into_folder() {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder_, failed)) {
    const std::string path = entry.path().string();
    if (!found_.insert(path).second) continue;
    const std::string number = path.substr(std::min(path.size(), log_path_.size() + 1));
    const auto process = static_cast<std::uint32_t>(std::strtoul(number.c_str(), nullptr, 10));
    followers_.emplace_back([this, path, process] { follow(path, process); });
  }
}

void LiveCheck::find_logs() {
  for (bool over = false; !over;) {
    over = over_.load();
    look_into_folder();
    if (!over) std::this_thread::sleep_for(kPause);
  }
  for (std::thread& follower : followers_) follower.join();
  done_ = true;
}

void LiveCheck::follow(const std::string& path, std::uint32_t process) {
  LiveChecked checked = check(path, process);
  const std::lock_guard guard(mutex_);
  checked_.push_back(std::move(checked));
}

LiveChecked LiveCheck::check(const std::string& path, std::uint32_t process) {
  LiveChecked out;
  out.process = process;
  auto log = decode::FollowedLog::open(path);
  if (!log) {
    out.error = log.error();
    return out;
  }
  for (bool over = false; !(*log)->has_begun();) {
    if (over) return out;  // nobody wrote it
    over = over_.load();
    std::this_thread::sleep_for(kPause);
  }
  out.source = std::make_shared<decode::FollowedSource>(std::move(*log), over_);
  if (auto done = run_engines(out); !done) {
    out.error = done.error();
    out.source->leave();
  }
  return out;
}

namespace {

// FILE.PID.omt for a forked process, as `omnium record` has it.
std::string trace_of(const std::string& trace, std::uint32_t process) {
  if (process == 0) return trace;
  fs::path path(trace);
  path.replace_extension(std::to_string(process) + fs::path(trace).extension().string());
  return path.string();
}

}  // namespace

Result<void> LiveCheck::run_engines(LiveChecked& checked) {
  decode::FollowedSource& source = *checked.source;
  std::vector<std::unique_ptr<StreamCheck>> checks;
  for (const EngineEntry* engine : settings_.engines) {
    checks.push_back(std::make_unique<StreamCheck>(source, *engine, settings_.options));
  }
  std::unique_ptr<EventSink> trace;
  if (!settings_.trace.empty()) {
    const std::string path = trace_of(settings_.trace, checked.process);
    auto created = create_trace(path, *output_format(path, ""));
    if (!created) return tl::unexpected(created.error());
    trace = std::move(*created);
  }
  std::vector<bool> told(checks.size());
  std::array<Event, 2048> buffer;
  for (EventIndex done = 0;;) {
    const auto count = source.read(buffer);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    if (given_up_) {
      checked.stopped = true;
      break;
    }
    const auto events = std::span(buffer).first(*count);
    done += *count;
    if (trace != nullptr) {
      if (auto written = trace->write(events, source.names()); !written) return written;
    }
    for (std::size_t i = 0; i < checks.size(); ++i) {
      if (auto wrong = checks[i]->feed(events)) return fail({"log"}, std::move(wrong->what));
      if (told[i] || !checks[i]->has_detected()) continue;
      told[i] = true;
      print_note(fmt::format("{}: not serializable, seen within the first {} events",
                             checks[i]->engine().info.name, done));
    }
  }
  for (const auto& check : checks) checked.outcomes.emplace_back(&check->engine(), check->finish());
  return trace == nullptr ? Result<void>() : trace->finish(source.names());
}

// The signals are held back, so they are looked for.
void LiveCheck::wait_for_engines() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&set, signal);
  const timespec time{0, 20'000'000};
  while (!done_) {
    if (::sigtimedwait(&set, nullptr, &time) > 0) given_up_ = true;
  }
}

std::vector<LiveChecked> LiveCheck::finish() {
  over_ = true;
  wait_for_engines();
  if (finder_.joinable()) finder_.join();
  std::ranges::sort(checked_, {}, &LiveChecked::process);
  std::erase_if(checked_, [](const LiveChecked& it) { return !it.source && !it.error; });
  return std::move(checked_);
}

}  // namespace omnium::cli
