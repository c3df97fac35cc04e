// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where functions are blocks that nobody declared: a function that calls one that is not atomic is
// not atomic either, by the same events. If it has a window of its own besides, which of the two is
// seen first is a matter of luck. So the inner function is a cause, and the outer one follows from
// it, unless only the inner one is probably harmless
// (docs/formats/patterns.md#functions-that-nobody-declared).
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace omnium {

struct NotAtomic {
  std::string function;
  std::set<std::string> callers;  // functions that were open around it when it was refuted
  bool stands_alone = false;      // its window is one to look at whatever it calls
  bool harmless = false;          // probably
};

// By function: the index of the one that it follows from, or its own. The one that a function
// follows from follows from no other.
std::vector<std::size_t> follow(std::span<const NotAtomic> functions);

}  // namespace omnium
