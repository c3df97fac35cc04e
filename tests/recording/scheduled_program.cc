// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <random>
#include <sstream>
#include <string>

#include "runtime/record/record.h"
#include "tests/recording/instrumented.h"
#include "tests/recording/programs.h"

namespace omnium::test {

namespace record = runtime::record;
using wire::RawKind;

namespace {

constexpr std::uint32_t kMeetings = 2;
constexpr std::uint32_t kSharedLocks = 2;
constexpr std::uint32_t kAttempts = 3;

struct Memory {
  alignas(64) char bytes[kMaxScheduleBytes];
  alignas(64) char attempts[4 * kAttempts];
  alignas(64) char locks[64];
  alignas(64) char shared_locks[kSharedLocks][8];
  std::uint64_t meetings[kMeetings];
};

// A thread of the program: a log, and what it holds.
struct Logical {
  Logical(std::uint32_t its_number, record::ThreadLog& its_log)
      : number(its_number), log(&its_log) {
    record::show_quick(its_log, *quick);
  }

  std::uint32_t number;
  record::ThreadLog* log;
  std::unique_ptr<runtime::Quick> quick =
      std::make_unique<runtime::Quick>(runtime::kNothingIsQuick);
  std::vector<std::uint32_t> locks;
  const char* waits_with = nullptr;  // the lock that it has given up to wait for a condition
  std::uint32_t depth = 0;
};

class Schedule {
 public:
  Schedule(const ProgramShape& shape, Notes& notes)
      : shape_(shape), notes_(notes), random_(shape.seed), lock_held_(shape.locks) {
    running_.emplace_back(0, record::new_thread(0, nullptr, 0, 0));
  }

  // One thread after the other is forked by the first; they are there from the start.
  void play(const std::string& script) {
    for (std::uint32_t i = 0; i < shape_.threads; ++i) fork(running_[0]);
    std::istringstream steps(script);
    std::uint32_t offset = 0, size = 0;
    std::string what;
    for (std::size_t number = 0; steps >> number >> what;) {
      Logical& thread = running_.at(number);
      if (what == "begin") begin(thread);
      if (what == "end") end(thread);
      if (what == "write" || what == "read" || what == "forget") steps >> offset >> size;
      if (what == "write" || what == "read") access(thread, what == "write", offset, size);
      if (what == "forget") forget(thread, offset, size);
      if (what == "finish") finish(thread);
      if (what == "join") join(thread);
    }
  }

  void run() {
    for (std::uint32_t i = 0; i < shape_.steps; ++i) {
      Logical& thread = running_[pick(running_.size())];
      // Some accesses in a row, as programs have them: most of them repeat others.
      for (auto more = pick(4); more != 0; --more) access(thread);
      step(thread);
    }
  }

 private:
  std::uint64_t pick(std::uint64_t count) { return random_() % count; }

  std::uint64_t note(const Logical& thread, RawKind kind, const void* object, std::uint32_t size) {
    return notes_.add(thread.number, kind, reinterpret_cast<std::uintptr_t>(object), size);
  }

  std::uint64_t note_access(const Logical& thread, bool write, const void* at, std::uint32_t size) {
    const auto place = note(thread, write ? RawKind::kWrite : RawKind::kRead, at, size);
    return shape_.one_place ? place_of_operation(thread.number, 0) : place;
  }

  void step(Logical& thread) {
    switch (pick(17)) {
      case 0:
      case 1: return begin(thread);
      case 2: return end(thread);
      case 3: return fork(thread);
      case 4: return pick(3) == 0 ? finish(thread) : join(thread);
      case 5: return use_atomic(thread);
      case 6: return use_shared_lock(thread);
      case 7: return forget(thread);
      case 8: return meet(thread);
      case 9: return access_both(thread);
      case 10:
      case 11: return attempt(thread);
      case 12: return wait_or_resume(thread);
      default: return use_lock(thread);
    }
  }

  void access(Logical& thread) {
    const std::uint32_t size = 1u << pick(4);
    const auto offset = size * static_cast<std::uint32_t>(pick(shape_.bytes / size));
    access(thread, pick(3) == 0, offset, size);
  }
  void access(Logical& thread, bool write, std::uint32_t offset, std::uint32_t size) {
    char* const at = memory_->bytes + offset;
    const auto place = note_access(thread, write, at, size);
    // Nobody else is there: the thread may have the cell alone.
    access_as_instrumented(*thread.log, *thread.quick, at, size, write, pick(2) == 0, place);
  }

  // More than one instruction can access at once is accessed one cell after the other.
  void access_both(Logical& thread) {
    const bool write = pick(3) == 0;
    const auto offset = static_cast<std::uint32_t>(pick(8));
    const auto length = static_cast<std::uint32_t>(9 - offset + pick(16));
    const auto end = std::min(offset + length, shape_.bytes);
    std::uint64_t place = 0;
    const bool at_once = end - offset <= 16;
    for (std::uint32_t at = offset, next; at < end; at = next) {
      next = at_once ? end : std::min(end, (at / 8 + 1) * 8);
      const auto noted = note_access(thread, write, memory_->bytes + at, next - at);
      if (place == 0) place = noted;
    }
    record::access(*thread.log, memory_->bytes + offset, std::size_t{end - offset}, write, place);
  }

  void use_atomic(Logical& thread) {
    const std::uint32_t size = 4u << pick(3);
    const char* const at = memory_->bytes + 4 * pick((shape_.bytes - size) / 4 + 1);
    constexpr RawKind kKinds[] = {RawKind::kAtomicRead, RawKind::kAtomicWrite, RawKind::kUpdate};
    do_atomically(thread, at, size, kKinds[pick(std::size(kKinds))]);
  }

  void do_atomically(Logical& thread, const char* at, std::uint32_t size, RawKind kind) {
    record::atomic_begin(*thread.log, at, size);
    const auto place = note(thread, kind, at, size);
    record::atomic_end(*thread.log, at, size, kind, place);
  }

  // Words that are accessed only as a whole, as the loops of compare-exchange do.
  void attempt(Logical& thread) {
    const char* const at = memory_->attempts + 4 * pick(kAttempts);
    constexpr RawKind kKinds[] = {RawKind::kAtomicRead, RawKind::kRetry, RawKind::kRetry,
                                  RawKind::kUpdate, RawKind::kAtomicWrite};
    if (pick(6) != 0) return do_atomically(thread, at, 4, kKinds[pick(std::size(kKinds))]);
    const bool write = pick(2) == 0;
    const auto place = note_access(thread, write, at, 4);
    access_as_instrumented(*thread.log, *thread.quick, at, 4, write, pick(2) == 0, place);
  }

  void begin(Logical& thread) {
    if (thread.depth == 3) return;
    ++thread.depth;
    record::begin(*thread.log, "block", note(thread, RawKind::kBegin, nullptr, 0));
  }
  void end(Logical& thread) {
    if (thread.depth == 0) return;
    --thread.depth;
    record::end(*thread.log, note(thread, RawKind::kEnd, nullptr, 0));
  }

  void sync(Logical& thread, RawKind kind, const void* object) {
    record::sync(*thread.log, kind, object, note(thread, kind, object, 0));
  }

  void use_lock(Logical& thread) {
    if (!thread.locks.empty() && pick(2) == 0) {
      const std::uint32_t lock = thread.locks.back();
      thread.locks.pop_back();
      lock_held_[lock] = false;
      return sync(thread, RawKind::kRelease, memory_->locks + 4 * lock);
    }
    const auto lock = static_cast<std::uint32_t>(pick(shape_.locks));
    if (lock_held_[lock]) return;
    lock_held_[lock] = true;
    thread.locks.push_back(lock);
    sync(thread, RawKind::kAcquire, memory_->locks + 4 * lock);
  }

  void wait_or_resume(Logical& thread) {
    if (thread.waits_with != nullptr) {
      const auto lock = static_cast<std::size_t>(thread.waits_with - memory_->locks) / 4;
      if (lock_held_[lock]) return;
      lock_held_[lock] = true;
      thread.locks.push_back(static_cast<std::uint32_t>(lock));
      sync(thread, RawKind::kResume, thread.waits_with);
      thread.waits_with = nullptr;
    } else if (!thread.locks.empty()) {
      thread.waits_with = memory_->locks + 4 * thread.locks.back();
      lock_held_[thread.locks.back()] = false;
      thread.locks.pop_back();
      sync(thread, RawKind::kWait, thread.waits_with);
    }
  }

  void use_shared_lock(Logical& thread) {
    const void* lock = memory_->shared_locks[pick(kSharedLocks)];
    const bool write = pick(2) == 0;
    sync(thread, write ? RawKind::kAcquire : RawKind::kSharedAcquire, lock);
    sync(thread, write ? RawKind::kRelease : RawKind::kSharedRelease, lock);
  }

  void forget(Logical& thread) {
    const auto first = static_cast<std::uint32_t>(pick(shape_.bytes));
    forget(thread, first, static_cast<std::uint32_t>(1 + pick(shape_.bytes - first)));
  }
  void forget(Logical& thread, std::uint32_t first, std::uint32_t size) {
    if (pick(2) == 0) {
      note(thread, RawKind::kForget, memory_->bytes + first, size);
      record::forget_range(*thread.log, memory_->bytes + first, size);
    } else {
      const auto place = note(thread, RawKind::kFree, memory_->bytes + first, size);
      record::free_range(*thread.log, memory_->bytes + first, size, place);
    }
  }

  void meet(Logical& thread) {
    std::uint64_t& meeting = memory_->meetings[pick(kMeetings)];
    const bool gives = pick(2) == 0;
    const auto place = note(thread, gives ? RawKind::kContribute : RawKind::kCollect, &meeting, 0);
    (gives ? record::contribute : record::collect)(
        *thread.log, {meeting, wire::RawMeeting::kAwaited}, &meeting, place);
  }

  void fork(Logical& thread) {
    if (running_.size() > shape_.threads || next_number_ > shape_.threads * shape_.rounds) return;
    const auto place = notes_.add(thread.number, RawKind::kFork, next_number_, 0);
    record::ThreadLog& log = record::new_thread(next_number_, thread.log, 0, place);
    running_.emplace_back(next_number_++, log);
    note(running_.back(), RawKind::kThreadBegin, nullptr, 0);
    record::thread_began(log);
  }

  // Not everybody is joined.
  void finish(Logical& thread) {
    if (thread.number == 0 || !thread.locks.empty() || thread.waits_with != nullptr) return;
    while (thread.depth != 0) end(thread);
    note(thread, RawKind::kThreadEnd, nullptr, 0);
    ended_.push_back(record::thread_ended(*thread.log));
    std::swap(thread, running_.back());
    running_.pop_back();
  }
  void join(Logical& thread) {
    if (ended_.empty()) return;
    std::swap(ended_[pick(ended_.size())], ended_.back());
    const auto place = notes_.add(thread.number, RawKind::kJoin, ended_.back().number, 0);
    record::thread_joined(*thread.log, ended_.back(), place);
    ended_.pop_back();
  }

  const ProgramShape& shape_;
  Notes& notes_;
  std::mt19937_64 random_;
  std::vector<bool> lock_held_;
  std::unique_ptr<Memory> memory_ = std::make_unique<Memory>();
  std::vector<Logical> running_;
  std::vector<record::ThreadEnd> ended_;
  std::uint32_t next_number_ = 1;
};

}  // namespace

void run_schedule(const ProgramShape& shape, Notes& notes) {
  Schedule schedule(shape, notes);
  if (*shape.script != '\0') return schedule.play(shape.script);
  schedule.run();
}

}  // namespace omnium::test
