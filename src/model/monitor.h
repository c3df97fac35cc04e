// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Is a run serializable? A finite automaton: Farzan and Madhusudan's summarized conflict graph, one
// row per open transaction, in a normal form (docs/algorithms/model.md).
//
//   T1: begin r(x)                w(x)     row 1: own {r x}, then later {w x}, threads {T2};
//   T2:            begin w(x) end                 w(x) by T1 conflicts with a later w(x): a cycle
//
// Each function that takes an event returns whether the event closes a cycle. `open`: the thread is
// inside a block.
#pragma once

#include <vector>

#include "model/future.h"
#include "model/state.h"

namespace omnium::model {

class Monitor {
 public:
  explicit Monitor(const Layout& layout, const Futures& futures)
      : layout_(layout), futures_(futures) {}

  static bool access(State& state, std::uint32_t t, std::int32_t object, bool write, bool open);
  // `own_idle`: t forked the other thread, and that one does nothing; so there is nobody in
  // between.
  static bool join(State& state, std::uint32_t t, std::uint32_t other, bool open,
                   bool own_idle = false);
  static void fork(State& state, std::uint32_t t, std::uint32_t child, bool open);
  // The outermost block of t ends.
  static void end(State& state, std::uint32_t t) { state.rows[t] = {}; }

  // Forgets what can never again be part of a cycle, and writes the rest in one way only.
  void normalize(State& state) const;

 private:
  void normalize_row(State& state, std::uint32_t w, ThreadSet joined) const;

  const Layout& layout_;
  const Futures& futures_;
};

}  // namespace omnium::model
