// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Is a run serializable? A finite automaton: Farzan and Madhusudan's summarized conflict graph, one
// row per open transaction, in a normal form (docs/algorithms/model.md).
//
//   T1: begin r(x)                w(x)     row 1: own {r x}, then later {w x}, threads {T2};
//   T2:            begin w(x) end                 w(x) by T1 conflicts with a later w(x): a cycle
//
// access() and join() return whether the event closes a cycle. `open`: the thread is inside a
// block.
#pragma once

#include <vector>

#include "model/future.h"
#include "model/state.h"

namespace omnium::model {

// What an event does to an object.
enum class Touch : std::uint8_t {
  kRead,
  kAttempt,  // an atomic load or a failed attempt: a read
  kWrite,
  kTake,        // of a lock, where locks conflict: as a write
  kGive,        // likewise
  kTakeShared,  // as a read
  kGiveShared,  // likewise
  kSignal,      // conflicts with later awaits, and with nothing before
  kAwait,       // conflicts with earlier signals, and with nothing later
};
Touch touch_of(Kind kind);

class Monitor {
 public:
  explicit Monitor(const Layout& layout, const Futures& futures)
      : layout_(layout), futures_(futures) {}

  // Comes first for every event of t. Whether it is the first one since an open transaction forked
  // the thread. `others`: threads inside a block, and not t.
  static bool event(State& state, std::uint32_t t, ThreadSet others);
  static bool access(State& state, std::uint32_t t, std::int32_t object, Touch touch, bool open);
  static bool join(State& state, std::uint32_t t, std::uint32_t other, bool open);
  static void fork(State& state, std::uint32_t t, std::uint32_t child, bool open);
  // Besides access(): blocks of `others` that await the channel later have waited for it.
  static void signal(State& state, std::int32_t object, ThreadSet others);
  // The outermost block of t ends, or a part of it.
  static void end(State& state, std::uint32_t t) { state.rows[t] = {}; }

  // Whether the block that t is in is cut before a failed attempt on the object (kNone: one that
  // conflicts with nothing): nobody noticed what its part did, but for attempts on the object.
  static bool cuts_at_retry(const State& state, std::uint32_t t, std::int32_t object);

  // Forgets what can never again be part of a cycle, and writes the rest in one way only.
  void normalize(State& state) const;

 private:
  void normalize_row(State& state, std::uint32_t w, ThreadSet joined) const;
  void normalize_cuts(State& state, std::uint32_t w) const;

  const Layout& layout_;
  const Futures& futures_;
};

}  // namespace omnium::model
