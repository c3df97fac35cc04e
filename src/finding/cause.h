// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The same bug has the same id in the next run. A cause is a block and the access that closes the
// window in it: made of the label of the block, the function of the access, and the class of its
// object. Not of lines, event indices, threads, partners, the cycle's length, or of the access that
// opens the window, which varies with the partner (docs/formats/patterns.md#identifiers). Of a
// function that nobody declared atomic the cause is the function alone; of those that only
// count for statistics it is the structure with the counters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "event/names.h"
#include "finding/finding.h"

namespace omnium {

// The access that closes the window: names as they stand in the trace.
struct Closing {
  std::string_view function;  // empty where not known
  std::string_view object;    // empty if it is a matter of the library that the function called
};

// The name of the object of a dependency: a variable, lock, signal or thread.
std::string_view object_of(const Dependency& dependency, const Names& names);

// `location` is that of the sink. The thread of a fork or join says nothing.
Closing closing_of(const Dependency& dependency, std::string_view location, const Names& names);

// Everything that tells one cause from another, as one string. `block` is a label; none: an event
// outside of blocks.
std::string cause_key(std::optional<std::string_view> block, const Closing& closing);

// The same for a function that is a block although nobody declared it atomic: it is told once, by
// whichever window was seen.
std::string function_cause_key(std::string_view function);

// The same for all of them that look like statistics of the same structure: which of them is seen
// is a matter of luck. `structure` may be empty.
std::string statistics_cause_key(std::string_view structure);

// "av-7f3a12c9"
std::string cause_id(const std::string& key);

// "ns-7f3a12c9", of a cycle without a violating transaction: of its labels, each once. If nobody
// declared its functions atomic and they are more than two, of the first alone: which others a long
// cycle goes through is a matter of luck.
std::string cycle_id(std::span<const BlockRef> transactions, const Names& names,
                     bool by_function = false);

}  // namespace omnium
