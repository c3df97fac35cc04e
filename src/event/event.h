// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The eight core events (docs/semantics.md#traces). Everything a program does is lowered to these
// once, and engines see nothing else.
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

// Position of an event in its trace, 0-based; counts events only.
using EventIndex = std::uint64_t;
inline constexpr EventIndex kNoEvent = ~EventIndex{0};

enum class Kind : std::uint8_t {
  kRead,
  kWrite,
  kAcquire,
  kRelease,
  kBegin,
  kEnd,
  kFork,
  kJoin,
  // Counts in event indices but means nothing to an engine: the inner operations of a re-entrant
  // lock, and blocks that the specification does not call atomic.
  kSkip,
};
inline constexpr int kCoreKinds = 8;

// As JSON spells them.
constexpr std::string_view to_string(Kind kind) {
  constexpr std::string_view kNames[] = {"read", "write", "acquire", "release", "begin",
                                         "end",  "fork",  "join",    "skip"};
  return kNames[static_cast<std::size_t>(kind)];
}

// One event in 12 bytes. `object` is a variable, lock, thread or label, by kind; use the accessors.
struct Event {
  Kind kind;
  std::uint16_t thread_id;
  std::uint32_t object;
  std::uint32_t loc_id = LocId::kNoneValue;  // none where locations were not asked for

  ThreadId thread() const { return {thread_id}; }
  VarId variable() const { return {object}; }
  LockId lock() const { return {object}; }
  LabelId label() const { return {object}; }   // begin, end
  ThreadId other() const { return {object}; }  // fork: the child; join: who is waited for
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
};

// Consecutive events of one trace; `first` is the index of events[0].
struct Batch {
  std::span<const Event> events;
  EventIndex first = 0;
  Extent extent;
};

}  // namespace omnium
