// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How threads could be deadlocked: locks that they take in different orders, where each thread gets
// its first lock before anybody asks for a second one; and conditions that are signalled before
// somebody begins to wait.
#pragma once

#include <vector>

#include "event/names.h"
#include "hunt/target.h"
#include "predict/deadlock.h"
#include "predict/loaded_trace.h"

namespace omnium::hunt {

std::vector<Target> deadlock_targets(const predict::DeadlockPotential& potential,
                                     const predict::LoadedTrace& trace, const Names& names,
                                     std::size_t most);

std::vector<Target> lost_signals(const predict::LoadedTrace& trace, const Names& names,
                                 std::size_t most);

}  // namespace omnium::hunt
