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
// the steps that turn them round. Each pair once, at most so many.
std::vector<Target> reversed_pairs(const predict::LoadedTrace& trace, const Names& names,
                                   std::size_t most);

}  // namespace omnium::hunt
