// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Reduction while the program runs, as the Atomizer does it (docs/hunting.md#pauses): is the open
// block still one that is atomic whatever others do? It takes its locks first and gives them back
// last, and has at most one access in between that other threads may make at the same time.
#pragma once

#include <cstdint>

#include "runtime/schedule/point.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// The accesses at this place are known to be unprotected, though this run may not have shown it.
void know_unprotected(Pc pc);

// What the thread is about to do would be too late for such a block. Must be called at each point.
bool breaks_reduction(const ThreadState& thread, const Point& point);

// The thread has taken the lock, or is about to give it back.
void reduction_takes(std::uintptr_t lock);
void reduction_gives_back(std::uintptr_t lock);
// An outermost block begins, or is cut and begins again.
void reduction_begins();

}  // namespace omnium::runtime
