// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Why a block was not atomic, in the terms of the program: with locks the first dependency
// that closes a cycle is often the lock's own, while a person wants to hear about the data that it
// protects. Looks for accesses
//
//   a1 in the block  <  b1 .. b2 in another transaction  <  a3 in the block
//
// where a1, b1 conflict and b2, a3 conflict: such a pair of steps says the same as the witness,
// shorter. In longer cycles steps from lock to lock become steps about the data behind them.
#pragma once

#include <vector>

#include "finding/excerpt.h"
#include "finding/finding.h"

namespace omnium {

// How far around a witness event to look, in events of the trace.
inline constexpr EventIndex kNeighbourhood = 512;

// What explaining_steps() and the column table want to see of the trace.
void add_neighbourhoods(const Violation& violation, std::vector<EventRange>& ranges);

// Steps from the innermost refuted block back to it: two accesses as above if they are found, the
// witness otherwise, about data if all of it can be. `excerpt` may lack anything.
std::vector<WitnessStep> explaining_steps(const Violation& violation, const Excerpt& excerpt);

// The block that a report names: the innermost refuted one.
const BlockRef& blamed_block(const Violation& violation);

}  // namespace omnium
