// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Pairs of accesses that might come the other way round: many failures are no violation of a
// declared block, but an order that the author did not think of.
#pragma once

#include <cstddef>
#include <vector>

#include "event/names.h"
#include "hunt/target.h"
#include "predict/loaded_trace.h"

namespace omnium::hunt {

// For each pair of places where two threads access the same variable, at least one of them writing:
// the steps that turn them round; the same, and then the thread that came first waits until no
// other can go on; and the order of the recording with such a wait. At most so many.
std::vector<Target> reversed_pairs(const predict::LoadedTrace& trace, const Names& names,
                                   std::size_t most);

}  // namespace omnium::hunt
