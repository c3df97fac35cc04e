// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/lowering.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace omnium::recording {

using live::RawKind;
using live::RawRecord;

namespace {

constexpr std::uint32_t kMaxAtomicSize = 16;

}  // namespace

inline void Lowering::emit(Kind kind, std::uint32_t object) {
  Event event{kind, static_cast<std::uint16_t>(thread_), object, location_};
  const bool fine = well_formed_.accept(event);
  if (fine && event.kind != Kind::kSkip) {
    events_->push_back(event);
    threads_[thread_].has_events = true;
  } else {
    ++left_out_;
  }
}

Result<void> Lowering::prepare() {
  names_.labels.intern("");
  for (const Text& text : log_.texts()) take_text(text);
  auto lives = find_shared_lives(log_);
  if (!lives) return tl::unexpected(lives.error());
  memory_.set_shared(std::move(*lives));
  return {};
}

void Lowering::take_text(const Text& text) {
  switch (text.kind) {
    case RawKind::kThreadStart: thread_starts_[text.thread] = text.object; break;
    case RawKind::kThreadName: thread_names_[text.thread] = text.text; break;
    case RawKind::kLabel: label_texts_[text.object] = text.text; break;
    case RawKind::kModule: {
      live::RawModule module;
      if (text.text.size() < sizeof module) break;
      std::memcpy(&module, text.text.data(), sizeof module);
      addresses_.add_module(module, std::string_view(text.text).substr(sizeof module));
      break;
    }
    default: break;
  }
}

std::uint32_t Lowering::new_thread(std::uint32_t number) {
  const auto given = thread_names_.find(number);
  const auto start = thread_starts_.find(number);
  const std::uint64_t function = start == thread_starts_.end() ? 0 : start->second;
  thread_names_used_.add(names_.threads, given != thread_names_.end()
                                             ? given->second
                                             : addresses_.thread(function, number));
  threads_.resize(names_.threads.size());
  well_formed_.grow_to(names_.extent());
  return names_.threads.size() - 1;
}

std::uint32_t Lowering::thread_id(std::uint32_t number) {
  const auto [place, is_new] = thread_ids_.try_emplace(number, 0);
  if (is_new) place->second = new_thread(number);
  return place->second;
}

std::uint32_t Lowering::thread_of(const MergedRecord& record) {
  if (record.index >= thread_ids_by_index_.size()) {
    thread_ids_by_index_.resize(record.index + 1, AddressIds::kNone);
  }
  std::uint32_t& id = thread_ids_by_index_[record.index];
  if (id == AddressIds::kNone) id = thread_id(record.thread);
  return id;
}

std::uint32_t Lowering::location(std::uint64_t place) {
  if (!locations_wanted_ || place == 0) return LocId::kNoneValue;
  return location_ids_.find(place,
                            [&] { return names_.locations.intern(addresses_.place(place)); });
}

// The first of a name has it alone.
void Lowering::Numbered::add(support::Interner& names, const std::string& name) {
  const std::uint32_t id = used_.intern(name);
  if (id == counts_.size()) counts_.push_back(0);
  const std::uint32_t number = ++counts_[id];
  names.append(number == 1 ? name : fmt::format("{} (another, {})", name, number));
}

template <class Name>
std::uint32_t Lowering::new_variable(Name name) {
  if (next_variable_ == names_.variables.size()) variable_names_.add(names_.variables, name());
  return next_variable_++;
}

std::uint32_t Lowering::variable_of(std::uint64_t address, std::uint64_t place) {
  return new_variable([&] { return addresses_.object(address, place); });
}

std::uint32_t Lowering::label(const RawRecord& record) {
  const std::uint64_t address = live::object_of(record);
  return label_ids_.find(address, [&] {
    const auto text = label_texts_.find(address);
    const std::uint32_t id = names_.labels.intern(
        text != label_texts_.end() ? text->second : addresses_.function(address));
    well_formed_.grow_to(names_.extent());
    return id;
  });
}

std::uint32_t Lowering::lock(const RawRecord& record) {
  const std::uint64_t address = live::object_of(record);
  return locks_.find(address, [&] {
    if (next_lock_ == names_.locks.size()) {
      lock_names_.add(names_.locks, addresses_.object(address, live::place_of(record)));
      well_formed_.grow_to(names_.extent());
    }
    return next_lock_++;
  });
}

std::uint32_t Lowering::shared_lock(const RawRecord& record) {
  const std::uint64_t address = live::object_of(record);
  return shared_locks_.find(address, [&] { return variable_of(address, live::place_of(record)); });
}

// An access happens at once: what any of its pieces depends on comes before all of them. Where a
// piece but the first may depend on another thread, those before it follow once more.
// Returns whether that was so; `again`: it is known to be so.
bool Lowering::access(Bytes bytes, Kind kind, bool again) {
  const std::size_t first = events_->size();
  const bool write = kind == Kind::kWrite;
  memory_.for_each_piece(bytes.address, bytes.size,
                         [&](std::uint64_t address, MemoryMap::Variable& variable) {
                           if (variable.id == MemoryMap::kNone) {
                             variable.id = variable_of(address, bytes.place);
                           }
                           again |= events_->size() > first && variable.depends(thread_, write);
                           variable.touch(thread_, write);
                           emit(kind, variable.id);
                         });
  // Whoever did something has an event: its fork is before that, its join behind it.
  if (events_->size() == first && !threads_[thread_].has_events) {
    emit(kind, variable_of(bytes.address, bytes.place));
  }
  if (!again || events_->size() == first) return again;
  const std::vector<Event> pieces(events_->begin() + static_cast<std::ptrdiff_t>(first),
                                  events_->end() - 1);
  for (const Event& piece : pieces) emit(kind, piece.object);
  return true;
}

// What is longer than any access are many of them, of eight bytes at most.
void Lowering::accesses(const Bytes& bytes, Kind kind) {
  if (bytes.size <= kMaxAtomicSize) {
    access(bytes, kind);
    return;
  }
  const std::uint64_t end = bytes.address + bytes.size;
  for (std::uint64_t at = bytes.address, next; at < end; at = next) {
    next = std::min(end, (at / 8 + 1) * 8);
    access({at, static_cast<std::uint32_t>(next - at), bytes.place}, kind);
    next = std::max(next, std::min(end, memory_.private_end(at)));
  }
}

void Lowering::repeated_accesses(const MergedRecord& merged, Kind kind) {
  const std::uint32_t size = live::size_of(merged.record);
  if (merged.repeats == 0) {
    MemoryMap::Variable* const variable = memory_.only_variable(merged.address(0), size);
    if (variable != nullptr) {
      variable->touch(thread_, kind == Kind::kWrite);
      return emit(kind, variable->id);
    }
  }
  for (std::uint64_t i = 0; i <= merged.repeats; ++i) {
    const std::uint64_t address = merged.address(i);
    accesses({address, size, live::place_of(merged.record)}, kind);
    // Those behind it in a page that nobody shares are as much worth.
    const std::uint64_t end = memory_.private_end(address);
    while (i < merged.repeats && merged.address(i + 1) >= address &&
           merged.address(i + 1) + size <= end) {
      ++i;
    }
  }
}

void Lowering::forget(std::uint64_t address, std::uint64_t size) {
  memory_.forget(address, size);
  forget_locks(address, size);
}

void Lowering::forget_locks(std::uint64_t address, std::uint64_t size) {
  locks_.forget(address, size);
  shared_locks_.forget(address, size);
}

void Lowering::contribute(const MergedRecord& merged) {
  if (live::kind_of(merged.record) == RawKind::kFirstContribute) {
    meetings_[merged.operand] = {};
  }
  Meeting& meeting = meetings_[merged.operand];
  meeting.variables.push_back(new_variable(
      [&] { return addresses_.object(live::object_of(merged.record), 0) + " (meeting)"; }));
  emit(Kind::kWrite, meeting.variables.back());
}

void Lowering::end(std::vector<std::uint32_t>& open) {
  if (open.empty()) return;
  emit(Kind::kEnd, open.back());
  open.pop_back();
}

bool Lowering::lower(const MergedRecord& merged, std::vector<Event>& events) {
  const RawRecord& record = merged.record;
  events_ = &events;
  thread_ = thread_of(merged);
  if (names_.threads.size() > kMaxThreads) return false;
  location_ = location(live::place_of(record));
  const RawKind kind = live::kind_of(record);
  const Bytes bytes{live::object_of(record), live::size_of(record), live::place_of(record)};
  switch (kind) {
    case RawKind::kRead:
    case RawKind::kWrite:
      repeated_accesses(merged, kind == RawKind::kRead ? Kind::kRead : Kind::kWrite);
      break;
    case RawKind::kUpdate: access(bytes, Kind::kWrite, access(bytes, Kind::kRead)); break;
    case RawKind::kAcquire:
    case RawKind::kRelease:
      emit(kind == RawKind::kAcquire ? Kind::kAcquire : Kind::kRelease, lock(record));
      break;
    case RawKind::kReadAcquire:
    case RawKind::kReadRelease:
    case RawKind::kWriteAcquire:
    case RawKind::kWriteRelease:
      emit(kind <= RawKind::kReadRelease ? Kind::kRead : Kind::kWrite, shared_lock(record));
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
      threads_[thread_].open_labels.push_back(label(record));
      emit(Kind::kBegin, threads_[thread_].open_labels.back());
      break;
    case RawKind::kEnd: end(threads_[thread_].open_labels); break;
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
  threads_.assign(threads_.size(), {});
  memory_.restart();
  addresses_.forget_heap_blocks();
  well_formed_ = {};
  well_formed_.grow_to(names_.extent());
  left_out_ = 0;
}

}  // namespace omnium::recording
