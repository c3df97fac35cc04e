// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Two accesses of a thread to the same variable, and one of another thread that could come between
// them so that no order of the two threads would show the same [Lu et al.: CTrigger, ASPLOS 2009].
// If two threads run the same code, both may also make the first access before either makes the
// second. No block need be declared: many programs fail because of what nobody has called atomic.
#pragma once

#include <cstddef>
#include <vector>

#include "event/names.h"
#include "hunt/target.h"
#include "predict/loaded_trace.h"

namespace omnium::hunt {

// The steps that interleave them, those first that are closest together. Each place once, at most
// so many.
std::vector<Target> interleaved_triples(const predict::LoadedTrace& trace, const Names& names,
                                        std::size_t most);

}  // namespace omnium::hunt
