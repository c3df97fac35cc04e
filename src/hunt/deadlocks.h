// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Locks that threads take in different orders: the steps that let each thread have its first lock
// before anybody asks for a second one.
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

}  // namespace omnium::hunt
