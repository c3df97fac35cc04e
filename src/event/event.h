// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a trace says happened (docs/semantics.md#traces): eight core events, which are all that
// engines see, and richer ones that event/lowering.h turns into those.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "support/id.h"

namespace omnium {

using ThreadId = Id<struct ThreadTag>;
using VarId = Id<struct VarTag>;
using LockId = Id<struct LockTag>;
using LabelId = Id<struct LabelTag>;
using LocId = Id<struct LocTag>;
using SignalId = Id<struct SignalTag>;

// Position of an event in its trace, 0-based; counts events only.
using EventIndex = std::uint64_t;
inline constexpr EventIndex kNoEvent = ~EventIndex{0};

// The numbers are part of the .omt format.
enum class Kind : std::uint8_t {
  kRead,
  kWrite,
  kAcquire,
  kRelease,
  kBegin,
  kEnd,
  kFork,
  kJoin,
  kAtomicRead,
  kAtomicWrite,
  kUpdate,         // atomic read-modify-write: nothing comes between its read and its write
  kRetry,          // an attempt that failed: a compare-exchange without exchange, a spinning load
  kSharedAcquire,  // the reader side of a lock
  kSharedRelease,
  kWait,    // for a condition: the lock is given up,
  kResume,  // and held again
  kSignal,  // every earlier signal had to come before
  kAwait,   // an await of the same channel
  kBusy,    // a try that failed because another thread held the lock
  // Counts in event indices but means nothing: the inner operations of a re-entrant lock, and
  // blocks that the specification does not call atomic.
  kSkip,
};
inline constexpr std::size_t kCoreKinds = 8;
inline constexpr std::size_t kKinds = 19;  // those that a trace can contain

// As JSON spells them.
constexpr std::string_view to_string(Kind kind) {
  constexpr std::string_view kNames[] = {"read",
                                         "write",
                                         "acquire",
                                         "release",
                                         "begin",
                                         "end",
                                         "fork",
                                         "join",
                                         "atomic read",
                                         "atomic write",
                                         "read-modify-write",
                                         "retry",
                                         "shared acquire",
                                         "shared release",
                                         "wait",
                                         "resume",
                                         "signal",
                                         "await",
                                         "busy",
                                         "skip"};
  return kNames[static_cast<std::size_t>(kind)];
}

// As STD spells them.
constexpr std::string_view std_word(Kind kind) {
  constexpr std::string_view kWords[kKinds] = {
      "r",   "w",     "acq",  "rel",  "begin", "end",    "fork",   "join",  "ar",  "aw",
      "rmw", "retry", "racq", "rrel", "wait",  "resume", "signal", "await", "busy"};
  return kWords[static_cast<std::size_t>(kind)];
}

constexpr bool is_core(Kind kind) { return static_cast<std::size_t>(kind) < kCoreKinds; }
// Reads the variable (an update does, besides writing it).
constexpr bool is_read(Kind kind) {
  return kind == Kind::kRead || kind == Kind::kAtomicRead || kind == Kind::kRetry ||
         kind == Kind::kUpdate;
}
constexpr bool is_write(Kind kind) {
  return kind == Kind::kWrite || kind == Kind::kAtomicWrite || kind == Kind::kUpdate;
}
constexpr bool is_access(Kind kind) { return is_read(kind) || is_write(kind); }
// The thread holds the lock afterwards.
constexpr bool takes_lock(Kind kind) {
  return kind == Kind::kAcquire || kind == Kind::kSharedAcquire || kind == Kind::kResume;
}
// The thread does not hold the lock any more.
constexpr bool gives_lock_back(Kind kind) {
  return kind == Kind::kRelease || kind == Kind::kSharedRelease || kind == Kind::kWait;
}
// Its object is a lock.
constexpr bool is_lock_operation(Kind kind) {
  return takes_lock(kind) || gives_lock_back(kind) || kind == Kind::kBusy;
}
constexpr bool is_shared_side(Kind kind) {
  return kind == Kind::kSharedAcquire || kind == Kind::kSharedRelease;
}

// One event in 12 bytes. `object` is a variable, lock, thread, label or signal, by kind; use the
// accessors.
struct Event {
  Kind kind;
  std::uint16_t thread_id;
  std::uint32_t object;
  std::uint32_t loc_id = LocId::kNoneValue;  // none where locations were not asked for

  ThreadId thread() const { return {thread_id}; }
  VarId variable() const { return {object}; }
  LockId lock() const { return {object}; }
  LabelId label() const { return {object}; }    // begin, end
  ThreadId other() const { return {object}; }   // fork: the child; join: who is waited for
  SignalId signal() const { return {object}; }  // signal, await
  LocId loc() const { return {loc_id}; }
  friend bool operator==(const Event&, const Event&) = default;
};
static_assert(sizeof(Event) == 12);

inline constexpr std::uint32_t kMaxThreads = 65'536;

// Ids below these bounds may appear in a batch; tables are grown to them before its first event.
struct Extent {
  std::uint32_t threads = 0;
  std::uint32_t variables = 0;
  std::uint32_t locks = 0;
  std::uint32_t labels = 0;
  std::uint32_t signals = 0;
};

// Consecutive events of one trace; `first` is the index of events[0].
struct Batch {
  std::span<const Event> events;
  EventIndex first = 0;
  Extent extent;
  // Not 0: this many events were thinned out (event/thinning.h), and loc_id of those that are left
  // is their place among them.
  std::size_t thinned = 0;

  EventIndex end() const { return first + (thinned != 0 ? thinned : events.size()); }
};

}  // namespace omnium
