// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/lowering.h"

#include <cstring>

#include <fmt/format.h>

namespace omnium::recording {

using live::RawKind;
using live::RawRecord;

namespace {

bool is_access(RawKind kind) {
  return kind == RawKind::kRead || kind == RawKind::kWrite || kind == RawKind::kUpdate;
}

// `name`, or the name with a number behind it that nobody has yet.
std::string unused_name(support::Interner& names, const std::string& name) {
  std::string unused = name;
  for (std::uint32_t i = 2; names.find(unused) != support::Interner::kNone; ++i) {
    unused = fmt::format("{}~{}", name, i);
  }
  return unused;
}

}  // namespace

Result<void> Lowering::prepare() {
  names_.labels.intern("");
  return for_each_record(
      log_, [this](std::uint32_t thread, const RawRecord& record, std::string_view text) {
        if (is_access(live::kind_of(record))) {
          memory_.add_access(thread, live::object_of(record), live::size_of(record));
        } else {
          take_text(thread, record, text);
        }
      });
}

void Lowering::take_text(std::uint32_t thread, const RawRecord& record, std::string_view text) {
  switch (live::kind_of(record)) {
    case RawKind::kThreadStart: thread_starts_[thread] = live::object_of(record); break;
    case RawKind::kThreadName: thread_names_[thread] = text; break;
    case RawKind::kLabel: label_texts_[live::object_of(record)] = text; break;
    case RawKind::kModule: {
      live::RawModule module;
      if (text.size() < sizeof module) break;
      std::memcpy(&module, text.data(), sizeof module);
      addresses_.add_module(module, text.substr(sizeof module));
      break;
    }
    default: break;
  }
}

std::uint32_t Lowering::thread_id(std::uint32_t number) {
  const auto [place, is_new] = thread_ids_.try_emplace(number, names_.threads.size());
  if (is_new) {
    const auto given = thread_names_.find(number);
    const auto start = thread_starts_.find(number);
    std::string name = number == 0 ? "main" : fmt::format("T{}", number);
    if (given != thread_names_.end()) {
      name = given->second;
    } else if (start != thread_starts_.end() && start->second != 0) {
      name = fmt::format("{}#{}", addresses_.function(start->second), number);
    }
    names_.threads.intern(unused_name(names_.threads, name));
  }
  return place->second;
}

std::uint32_t Lowering::location(std::uint64_t place) {
  if (!locations_wanted_ || place == 0) return LocId::kNoneValue;
  const auto [known, is_new] = location_ids_.try_emplace(place, 0);
  if (is_new) known->second = names_.locations.intern(addresses_.place(place));
  return known->second;
}

std::uint32_t Lowering::new_variable(const std::string& name) {
  if (next_variable_ == names_.variables.size()) {
    names_.variables.intern(unused_name(names_.variables, name));
  }
  return next_variable_++;
}

std::uint32_t Lowering::label(const RawRecord& record) {
  const std::uint64_t address = live::object_of(record);
  const auto [known, is_new] = label_ids_.try_emplace(address, 0);
  if (is_new) {
    const auto text = label_texts_.find(address);
    known->second = names_.labels.intern(text != label_texts_.end() ? text->second
                                                                    : addresses_.function(address));
  }
  return known->second;
}

// The lock that lies there, or a new one.
std::uint32_t Lowering::object_id(std::map<std::uint64_t, std::uint32_t>& known,
                                  support::Interner& names, std::uint32_t& next,
                                  const RawRecord& record) {
  const std::uint64_t address = live::object_of(record);
  const auto [place, is_new] = known.try_emplace(address, next);
  if (!is_new) return place->second;
  if (next == names.size()) {
    names.intern(unused_name(names, addresses_.object(address, live::place_of(record))));
  }
  return next++;
}

void Lowering::emit(Kind kind, std::uint32_t object) {
  Event event{kind, static_cast<std::uint16_t>(thread_), object, location_};
  well_formed_.grow_to(names_.extent());
  const bool fine = well_formed_.accept(event);
  if (fine && event.kind != Kind::kSkip) {
    events_->push_back(event);
  } else {
    ++left_out_;
  }
}

void Lowering::access(const RawRecord& record, Kind kind) {
  memory_.for_each_piece(
      live::object_of(record), live::size_of(record),
      [&](std::uint64_t address, std::uint32_t, std::uint32_t& variable, std::uint32_t generation) {
        if (variable == MemoryMap::kNoVariable) {
          std::string name;
          if (next_variable_ == names_.variables.size()) {
            name = addresses_.object(address, live::place_of(record));
            if (generation != 0) name += fmt::format("~{}", generation + 1);
          }
          variable = new_variable(name);
        }
        emit(kind, variable);
      });
}

void Lowering::forget(std::uint64_t address, std::uint64_t size) {
  memory_.forget(address, size);
  forget_locks(address, size);
}

void Lowering::forget_locks(std::uint64_t address, std::uint64_t size) {
  for (auto* known : {&locks_, &shared_locks_}) {
    known->erase(known->lower_bound(address), known->lower_bound(address + size));
  }
}

void Lowering::contribute(const MergedRecord& merged) {
  if (live::kind_of(merged.record) == RawKind::kFirstContribute) {
    meetings_[merged.operand] = {};
  }
  Meeting& meeting = meetings_[merged.operand];
  const std::string name =
      next_variable_ == names_.variables.size()
          ? fmt::format("{}@{}", addresses_.object(live::object_of(merged.record), 0),
                        next_variable_)
          : std::string();
  meeting.variables.push_back(new_variable(name));
  emit(Kind::kWrite, meeting.variables.back());
}

bool Lowering::lower(const MergedRecord& merged, std::vector<Event>& events) {
  const RawRecord& record = merged.record;
  events_ = &events;
  thread_ = thread_id(merged.thread);
  if (names_.threads.size() > kMaxThreads) return false;
  location_ = location(live::place_of(record));
  const RawKind kind = live::kind_of(record);
  std::vector<std::uint32_t>& open = open_labels_[merged.thread];
  switch (kind) {
    case RawKind::kRead: access(record, Kind::kRead); break;
    case RawKind::kWrite: access(record, Kind::kWrite); break;
    case RawKind::kUpdate:
      access(record, Kind::kRead);
      access(record, Kind::kWrite);
      break;
    case RawKind::kAcquire:
    case RawKind::kRelease:
      emit(kind == RawKind::kAcquire ? Kind::kAcquire : Kind::kRelease,
           object_id(locks_, names_.locks, next_lock_, record));
      break;
    case RawKind::kReadAcquire:
    case RawKind::kReadRelease:
    case RawKind::kWriteAcquire:
    case RawKind::kWriteRelease:
      emit(kind <= RawKind::kReadRelease ? Kind::kRead : Kind::kWrite,
           object_id(shared_locks_, names_.variables, next_variable_, record));
      break;
    case RawKind::kContribute:
    case RawKind::kFirstContribute: contribute(merged); break;
    case RawKind::kCollect:
      for (const std::uint32_t variable : meetings_[merged.operand].variables) {
        emit(Kind::kRead, variable);
      }
      break;
    case RawKind::kFork:
    case RawKind::kJoin: {
      const auto other = static_cast<std::uint32_t>(live::object_of(record));
      emit(kind == RawKind::kFork ? Kind::kFork : Kind::kJoin, thread_id(other));
      break;
    }
    case RawKind::kBegin:
    case RawKind::kBeginFunction:
      open.push_back(label(record));
      emit(Kind::kBegin, open.back());
      break;
    case RawKind::kEnd:
      if (open.empty()) break;
      emit(Kind::kEnd, open.back());
      open.pop_back();
      break;
    case RawKind::kForget: forget(live::object_of(record), live::place_of(record)); break;
    case RawKind::kForgetLock: forget_locks(live::object_of(record), 1); break;
    case RawKind::kAllocate:
      addresses_.add_heap_block(live::object_of(record), merged.operand, live::place_of(record));
      break;
    default: break;
  }
  return true;
}

void Lowering::restart() {
  next_variable_ = next_lock_ = 0;
  locks_.clear();
  shared_locks_.clear();
  meetings_.clear();
  open_labels_.clear();
  memory_.forget_all();
  addresses_.forget_heap_blocks();
  well_formed_ = {};
  left_out_ = 0;
}

}  // namespace omnium::recording
