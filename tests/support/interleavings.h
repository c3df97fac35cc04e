// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every interleaving of a small trace's events: program order, mutual exclusion of locks, fork and
// join (docs/semantics.md#prediction). By definition and without cleverness, except that equal
// states are visited once.
#pragma once

#include <span>

#include "event/event.h"

namespace omnium::test {

struct AllInterleavings {
  bool conflict_atomic = true;  // every complete interleaving is conflict-serializable
  bool view_atomic = true;      // every complete interleaving is view-serializable; if asked for
  bool deadlock_possible = false;
  bool complete = true;  // false: too many states, the answers mean nothing
};

enum class Views { kYes, kNo };

AllInterleavings explore_interleavings(std::span<const Event> events, const Extent& extent,
                                       Views views = Views::kYes, std::size_t max_states = 20'000);

}  // namespace omnium::test
