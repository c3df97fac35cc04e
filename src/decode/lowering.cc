// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/lowering.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "decode/followed_log.h"
#include "event/for_check.h"

namespace omnium::decode {

using wire::RawKind;
using wire::RawRecord;

namespace {

constexpr std::uint32_t kMaxAtomicSize = 16;

}  // namespace

template <Kind kKind>
[[gnu::always_inline]] inline void Lowering::emit(std::uint32_t object) {
  if (!is_located_) {
    location_ = location(place_);
    is_located_ = true;
  }
  Event event{kKind, static_cast<std::uint16_t>(thread_), object, location_};
  const bool fine = well_formed_.accept(event);
  if (fine && event.kind != Kind::kSkip) {
    events_->add(event.kind, event.thread_id, object, location_);
  } else {
    ++left_out_;
  }
}

void Lowering::prepare_live() {
  names_.labels.intern("");
  memory_.set_live();
  live_ = true;
}

Result<void> Lowering::prepare(RawLog& log) {
  names_.labels.intern("");
  auto lives = find_shared_lives(log);
  if (!lives && log.is_damaged()) {
    if (auto looked = log.look_again(); !looked) return looked;
    lives = find_shared_lives(log);
  }
  if (!lives) return tl::unexpected(lives.error());
  memory_.set_shared(std::move(*lives));
  auto texts = log.take_texts();
  if (!texts) return tl::unexpected(texts.error());
  for (const Text& text : *texts) take_text(text);
  thread_ids_by_index_.assign(log.threads().size(), AddressIds::kNone);
  return {};
}

void Lowering::take_text(const Text& text) {
  switch (text.kind) {
    case RawKind::kThreadStart: thread_starts_[text.thread] = text.object; break;
    case RawKind::kThreadName: thread_names_[text.thread] = text.text; break;
    case RawKind::kLabel: label_texts_[text.object] = text.text; break;
    case RawKind::kBodyCall: body_calls_.take(text); break;
    case RawKind::kModule: {
      wire::RawModule module;
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
  if (place->second >= kMaxThreads) too_many_threads_ = true;
  return place->second;
}

std::uint32_t Lowering::other_thread(const RawRecord& record) {
  return thread_id(static_cast<std::uint32_t>(wire::object_of(record)));
}

inline std::uint32_t Lowering::thread_of(const MergedRecord& record) {
  if (record.index >= thread_ids_by_index_.size()) [[unlikely]]
    thread_ids_by_index_.resize(record.index + 1, AddressIds::kNone);
  std::uint32_t& id = thread_ids_by_index_[record.index];
  if (id == AddressIds::kNone) id = thread_id(record.thread);
  return id;
}

inline std::uint32_t Lowering::location(std::uint64_t place) {
  if (!locations_wanted_ || place == 0) return LocId::kNoneValue;
  return location_ids_.find(place, [&] {
    const std::uint32_t id = names_.locations.intern(addresses_.place_and_function(place));
    places_.emplace(id, place);
    return id;
  });
}

std::vector<Code> Lowering::codes_at(LocId location) const {
  std::vector<Code> out;
  const auto [begin, end] = places_.equal_range(location.v);
  for (auto at = begin; at != end; ++at) {
    if (auto code = addresses_.code(at->second)) out.push_back(*std::move(code));
  }
  return out;
}

template <class AddName>
std::uint32_t Lowering::new_variable(AddName add_name) {
  if (next_variable_ == names_.variables.size()) add_name();
  return next_variable_++;
}

// The id of a variable that is gone may be used again if the next one with it is written first, by
// the thread that was the last to touch the old one and has overwritten it or was alone with it:
// whatever depends on the new variable depends on that write, and the write on nothing new.
void Lowering::give_back(const MemoryMap::Variable& variable) {
  const auto kind = kinds_.find(variable.id);
  if (kind == kinds_.end()) return;
  const bool overwritten = variable.reader == MemoryMap::kNone && variable.writer == thread_;
  if (overwritten || variable.is_single()) {
    const std::uint32_t thread = overwritten ? thread_ : variable.user;
    free_ids_[{thread, kind->second.first, kind->second.second}].push_back(variable.id);
  }
  kinds_.erase(kind);
}

std::optional<std::uint32_t> Lowering::take_back(BlockKind* kind, std::uint64_t offset) {
  const auto found = free_ids_.find({thread_, kind, offset});
  if (found == free_ids_.end()) return std::nullopt;
  const std::uint32_t id = found->second.back();
  found->second.pop_back();
  if (found->second.empty()) free_ids_.erase(found);
  kinds_[id] = {kind, offset};
  return id;
}

std::uint32_t Lowering::variable_of(std::uint64_t address, const Bytes& bytes, bool write) {
  if (live_) {
    if (const auto in_block = addresses_.in_heap_block(address)) {
      if (write) {
        if (const auto id = take_back(in_block->kind, in_block->offset)) return *id;
      }
      kinds_[next_variable_] = {in_block->kind, in_block->offset};
    }
  }
  return new_variable([&] {
    const auto in_block = addresses_.in_heap_block(address);
    if (in_block && in_block->kind->names.are_certain()) {
      return variable_names_.add(names_.variables, *in_block->kind, in_block->offset);
    }
    // The access that made it shared tells most, and then the first one.
    const SharingAccess& sharing = memory_.sharing_access(address);
    const std::array<symbols::Use, 2> uses{
        {{sharing.place, sharing.size, address % 8 - sharing.start, false, sharing.write},
         {bytes.place, bytes.size, address - bytes.address, false, write}}};
    const std::span known = std::span(uses).subspan(uses[0].offset < uses[0].size ? 0 : 1);
    if (!in_block) {
      return variable_names_.add(names_.variables, addresses_.object(address, known));
    }
    if (const auto name = addresses_.used_on_heap(*in_block->block, known)) {
      return variable_names_.add(names_.variables, *name);
    }
    variable_names_.add(names_.variables, *in_block->kind, in_block->offset);
  });
}

std::uint32_t Lowering::label(const RawRecord& record) {
  const std::uint64_t address = wire::object_of(record);
  return label_ids_.find(address, [&] {
    const auto text = label_texts_.find(address);
    const std::uint32_t id = names_.labels.intern(
        text != label_texts_.end() ? text->second : addresses_.function(address));
    well_formed_.grow_to(names_.extent());
    return id;
  });
}

inline std::uint32_t Lowering::lock(const RawRecord& record) {
  const std::uint64_t address = wire::object_of(record);
  return locks_.find(address, [&] {
    if (next_lock_ == names_.locks.size()) {
      const symbols::Use use{wire::place_of(record), 0, 0, true};
      lock_names_.add(names_.locks, addresses_.object(address, {&use, 1}));
      well_formed_.grow_to(names_.extent());
    }
    return next_lock_++;
  });
}

// An access happens at once, so whatever one of its pieces depends on precedes all of them. If a
// piece other than the first may depend on another thread, the pieces before it are added once more
// behind it. Returns whether that is needed; `again` says that it is known to be needed.
template <Kind kKind>
bool Lowering::access(Bytes bytes, bool again) {
  constexpr bool write = is_write(kKind);
  memory_.prepare(bytes.address, bytes.size);
  if (memory_.has_former()) [[unlikely]]
    follow_former(bytes, write);
  const std::size_t first = events_->size();
  memory_.for_each_piece(bytes.address, bytes.size,
                         [&](std::uint64_t address, MemoryMap::Variable& variable) {
                           if (variable.id == MemoryMap::kNone) {
                             variable.id = variable_of(address, bytes, write);
                           }
                           again |= events_->size() > first && variable.depends(thread_, write);
                           variable.touch(thread_, write);
                           emit<kKind>(variable.id);
                         });
  // An attempt that failed may begin a part of a block, whether others use the variable or not.
  if (kKind == Kind::kRetry && events_->size() == first) {
    emit<kKind>(variable_of(bytes.address, bytes, write));
  }
  if (!again || events_->size() == first) return again;
  const std::size_t last = events_->size() - 1;
  for (std::size_t i = first; i < last; ++i) emit<kKind>(events_->object(i));
  return true;
}

// Lowers an access that is one of the common cases (MemoryMap::look_at). False: it is not, and
// nothing was done.
template <Kind kKind>
inline bool Lowering::quick_access(std::uint64_t address, std::uint32_t size) {
  constexpr bool write = is_write(kKind);
  const MemoryMap::Found found = memory_.look_at(address, size);
  if (found.first == nullptr) return found.nothing;
  const std::size_t first = events_->size();
  found.first->touch(thread_, write);
  emit<kKind>(found.first->id);
  if (found.second == nullptr) return true;
  const bool again = events_->size() > first && found.second->depends(thread_, write);
  found.second->touch(thread_, write);
  emit<kKind>(found.second->id);
  if (again) emit<kKind>(found.first->id);
  return true;
}

// A range that is longer than any single access is many accesses, of at most eight bytes each.
template <Kind kKind>
void Lowering::accesses(const Bytes& bytes) {
  if (bytes.size <= kMaxAtomicSize) {
    if (!quick_access<kKind>(bytes.address, bytes.size)) access<kKind>(bytes);
    return;
  }
  const std::uint64_t end = bytes.address + bytes.size;
  for (std::uint64_t at = bytes.address, next; at < end; at = next) {
    next = std::min(end, (at / 8 + 1) * 8);
    const std::size_t before = events_->size();
    const auto size = static_cast<std::uint32_t>(next - at);
    if (!quick_access<kKind>(at, size)) access<kKind>({at, size, bytes.place});
    if (events_->size() == before) next = std::max(next, std::min(end, memory_.private_end(at)));
  }
}

template <Kind kKind>
[[gnu::noinline]] void Lowering::repeated_accesses(const MergedRecord& merged) {
  const std::uint32_t size = wire::size_of(merged.record);
  for (std::uint64_t i = 0; i <= merged.repeats; ++i) {
    const std::uint64_t address = merged.address(i);
    const std::size_t before = events_->size();
    accesses<kKind>({address, size, wire::place_of(merged.record)});
    if (events_->size() != before) continue;
    // Skips the repetitions that follow in the same page, if no thread shares anything in it.
    const std::uint64_t end = memory_.private_end(address);
    if (merged.stride > 0 && address + size < end) {
      i += std::min(merged.repeats - i,
                    (end - size - address) / static_cast<std::uint64_t>(merged.stride));
    }
  }
}

template <Kind kKind>
inline void Lowering::lower_access(const MergedRecord& merged) {
  if (merged.repeats == 0 &&
      quick_access<kKind>(wire::object_of(merged.record), wire::size_of(merged.record))) {
    return;
  }
  repeated_accesses<kKind>(merged);
}

// The access follows what happened to its bytes when they were parts of larger variables. It is a
// read of those: nothing writes them any more, so it depends on their last write and on nothing
// else. (The reads before the first write of the bytes are lost, if other threads made them.)
void Lowering::follow_former(const Bytes& bytes, bool write) {
  lost_ += memory_.for_each_former(bytes.address, bytes.size, thread_, write,
                                   [&](std::uint32_t id) { emit<Kind::kRead>(id); });
}

// In how many rounds of the loop from `round` on is nothing shared? Every access must stay in a
// page of which that is known.
std::uint64_t Lowering::private_rounds(const MergedRecord& merged, std::uint64_t round) {
  std::uint64_t rounds = merged.repeats / merged.loop.size() - round;
  for (const LoopStep& step : merged.loop) {
    const std::uint64_t address = step.address(round), size = wire::size_of(step.record);
    const std::uint64_t end = memory_.private_end(address);
    if (end - address < size) return 0;
    if (step.stride == 0) continue;
    const std::uint64_t room = step.stride > 0 ? end - size - address : address % kPageBytes;
    const auto width = static_cast<std::uint64_t>(step.stride > 0 ? step.stride : -step.stride);
    rounds = std::min(rounds, room / width + 1);
  }
  return rounds;
}

[[gnu::noinline]] void Lowering::loop(const MergedRecord& merged) {
  const std::size_t length = merged.loop.size();
  const auto lower_step = [&](const LoopStep& step, std::uint64_t round) {
    const Bytes bytes{step.address(round), wire::size_of(step.record), wire::place_of(step.record)};
    at(bytes.place);
    wire::kind_of(step.record) == RawKind::kRead ? accesses<Kind::kRead>(bytes)
                                                 : accesses<Kind::kWrite>(bytes);
  };
  const std::uint64_t whole = merged.repeats / length;
  for (std::uint64_t round = 0; round < whole;) {
    if (const std::uint64_t rounds = private_rounds(merged, round); rounds != 0) {
      round += rounds;
      continue;
    }
    for (const LoopStep& step : merged.loop) lower_step(step, round);
    ++round;
  }
  for (std::size_t i = 0; i < merged.repeats % length; ++i) lower_step(merged.loop[i], whole);
}

// Freeing memory writes every variable in it that another thread has touched.
void Lowering::free(const MergedRecord& merged) {
  const std::uint64_t address = wire::object_of(merged.record);
  const std::uint64_t size = wire::place_of(merged.record);
  at(merged.operand);
  if (memory_.has_former()) follow_former({address, static_cast<std::uint32_t>(size), 0}, true);
  memory_.for_each_living_piece(address, size, [&](MemoryMap::Variable& variable) {
    if (!variable.is_touched_by_others(thread_)) return;
    variable.touch(thread_, true);
    emit<Kind::kWrite>(variable.id);
  });
}

void Lowering::forget(std::uint64_t address, std::uint64_t size) {
  memory_.forget(address, size,
                 [&](const MemoryMap::Variable& variable) { give_back(variable); });
  forget_locks(address, size);
}

void Lowering::forget_locks(std::uint64_t address, std::uint64_t size) {
  locks_.forget(address, size);
}

// The holder may have given the lock back before the failed try was recorded. Then the try says
// nothing.
void Lowering::busy(const RawRecord& record) {
  const std::uint32_t id = lock(record);
  if (well_formed_.is_held_by_another(id, thread_)) emit<Kind::kBusy>(id);
}

std::uint32_t Lowering::new_signal(std::string name) {
  if (next_signal_ == names_.signals.size()) {
    signal_names_.add(names_.signals, std::move(name));
    well_formed_.grow_to(names_.extent());
  }
  return next_signal_++;
}

// Nobody awaits it: it says something about the whole recording.
void Lowering::remark(std::string_view text) {
  at(0);
  emit<Kind::kSignal>(new_signal(std::string(text)));
}

// Nobody awaits it: it only says when the thread begins or ends.
std::uint32_t Lowering::signal_of_thread(std::string_view what) {
  return new_signal(fmt::format("{} {}", names_.threads.name(thread_), what));
}

// Nobody awaits it either: it only says that the acquire behind it is a try.
std::uint32_t Lowering::signal_of_try(std::uint32_t lock) {
  const auto [place, is_new] = tries_.try_emplace(lock, 0);
  if (is_new) place->second = new_signal(name_of_try(names_.locks.name(lock)));
  return place->second;
}

std::uint32_t Lowering::signal(const MergedRecord& merged) {
  const auto [place, is_new] = meetings_.try_emplace(merged.operand, 0);
  if (is_new || wire::kind_of(merged.record) == RawKind::kFirstContribute) {
    const symbols::Use use{wire::place_of(merged.record)};
    const std::string object = addresses_.object(wire::object_of(merged.record), {&use, 1});
    switch (wire::meeting_of(merged.record)) {
      case wire::RawMeeting::kAwaited: place->second = new_signal(object); break;
      case wire::RawMeeting::kReferences:
        place->second = new_signal("reference to " + object);
        break;
      case wire::RawMeeting::kFollowed: place->second = new_signal("data sent"); break;
    }
  }
  return place->second;
}

void Lowering::collect(const MergedRecord& merged) {
  if (wire::meeting_of(merged.record) != wire::RawMeeting::kAwaited) return follow(merged);
  emit<Kind::kAwait>(signal(merged));
}

// Nobody awaits it: it only says that the last reference to an object is dropped after all others,
// that a thread relies on a once flag, or has received what was sent, for predictions.
void Lowering::follow(const MergedRecord& merged) {
  const auto first = meetings_.find(merged.operand);
  if (first == meetings_.end()) return;
  const auto [place, is_new] = followers_.try_emplace(first->second, 0);
  if (is_new) place->second = new_signal(name_of_last(names_.signals.name(first->second)));
  emit<Kind::kSignal>(place->second);
}

// A function that is its thread's body is announced, for profiles that do not call it atomic.
void Lowering::begin(const MergedRecord& merged) {
  Thread& thread = threads_[thread_];
  if (body_calls_.does_all_work(merged.thread, ++thread.begun)) {
    return thread.open_labels.push_back(kNoBlock);
  }
  const std::uint32_t label = this->label(merged.record);
  if (!thread.has_body && thread.open_labels.empty() && is_body(merged)) {
    thread.has_body = true;
    emit<Kind::kSignal>(new_signal(name_of_body(names_.threads.name(thread_))));
  }
  thread.open_labels.push_back(label);
  emit<Kind::kBegin>(label);
}

// A thread is named after its body, which is not always the function that it was started with: that
// may be one of the C++ library.
bool Lowering::is_body(const MergedRecord& merged) {
  if (wire::kind_of(merged.record) != RawKind::kBeginFunction) return false;
  const auto start = thread_starts_.find(merged.thread);
  if (start == thread_starts_.end() || start->second == 0) return false;
  // A critical section is named by a place in a function.
  const std::uint64_t function = wire::object_of(merged.record);
  if (function == wire::place_of(merged.record)) return false;
  return addresses_.thread(function, merged.thread) ==
         addresses_.thread(start->second, merged.thread);
}

void Lowering::end(std::vector<std::uint32_t>& open) {
  if (open.empty()) return;
  if (open.back() != kNoBlock) emit<Kind::kEnd>(open.back());
  open.pop_back();
}

inline void Lowering::lower(const MergedRecord& merged) {
  const RawRecord& record = merged.record;
  at(wire::place_of(record));
  const RawKind kind = wire::kind_of(record);
  const Bytes bytes{wire::object_of(record), wire::size_of(record), wire::place_of(record)};
  switch (kind) {
    case RawKind::kRead: lower_access<Kind::kRead>(merged); break;
    case RawKind::kWrite: lower_access<Kind::kWrite>(merged); break;
    case RawKind::kAtomicRead: access<Kind::kAtomicRead>(bytes); break;
    case RawKind::kAtomicWrite: access<Kind::kAtomicWrite>(bytes); break;
    case RawKind::kRetry: access<Kind::kRetry>(bytes); break;
    case RawKind::kUpdate: access<Kind::kUpdate>(bytes); break;
    case RawKind::kAcquire: emit<Kind::kAcquire>(lock(record)); break;
    case RawKind::kRelease: emit<Kind::kRelease>(lock(record)); break;
    case RawKind::kSharedAcquire: emit<Kind::kSharedAcquire>(lock(record)); break;
    case RawKind::kSharedRelease: emit<Kind::kSharedRelease>(lock(record)); break;
    case RawKind::kWait: emit<Kind::kWait>(lock(record)); break;
    case RawKind::kResume: emit<Kind::kResume>(lock(record)); break;
    case RawKind::kBusy: busy(record); break;
    case RawKind::kTry: emit<Kind::kSignal>(signal_of_try(lock(record))); break;
    case RawKind::kContribute:
    case RawKind::kFirstContribute: emit<Kind::kSignal>(signal(merged)); break;
    case RawKind::kCollect: collect(merged); break;
    case RawKind::kThreadBegin: emit<Kind::kSignal>(signal_of_thread("begins")); break;
    case RawKind::kThreadEnd: emit<Kind::kSignal>(signal_of_thread("ends")); break;
    case RawKind::kFork: emit<Kind::kFork>(other_thread(record)); break;
    case RawKind::kJoin: emit<Kind::kJoin>(other_thread(record)); break;
    case RawKind::kBegin:
    case RawKind::kBeginFunction: begin(merged); break;
    case RawKind::kEnd: end(threads_[thread_].open_labels); break;
    case RawKind::kForget: forget(wire::object_of(record), wire::place_of(record)); break;
    case RawKind::kFree: free(merged); break;
    case RawKind::kLoop: loop(merged); break;
    case RawKind::kForgetLock: forget_locks(wire::object_of(record), 1); break;
    case RawKind::kAllocate:
      addresses_.add_heap_block(wire::object_of(record), merged.operand, wire::place_of(record));
      break;
    default: break;
  }
}

template <class Records>
Result<void> Lowering::lower(Records& records, std::size_t wanted, EventBuffer& events) {
  events_ = &events;
  return records.read([&](const MergedRecord& record) {
    thread_ = thread_of(record);
    if (too_many_threads_) return false;
    if (next_signal_ == 0) {
      if (facts_.keeps == wire::RawKeeps::kForCheck) remark(kForCheckSignal);
      if (facts_.takes_undeclared) remark(kUndeclaredSignal);
    }
    if (record.ahead != nullptr) memory_.prefetch(*record.ahead);
    lower(record);
    return events_->size() < wanted;
  });
}

template Result<void> Lowering::lower(Merge&, std::size_t, EventBuffer&);
template Result<void> Lowering::lower(FollowedLog&, std::size_t, EventBuffer&);

void Lowering::restart() {
  next_variable_ = next_lock_ = next_signal_ = 0;
  locks_.clear();
  meetings_.clear();
  tries_.clear();
  followers_.clear();
  threads_.assign(threads_.size(), {});
  memory_.restart();
  addresses_.forget_heap_blocks();
  well_formed_ = {};
  well_formed_.grow_to(names_.extent());
  left_out_ = 0;
  too_many_threads_ = false;
  std::ranges::fill(thread_ids_by_index_, AddressIds::kNone);
}

}  // namespace omnium::decode
