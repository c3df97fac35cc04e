// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Steering: a few accesses of different threads are made to happen in a wanted order, so that a
// violation that was predicted becomes one that happens. All else runs in parallel and free.
#pragma once

#include "runtime/schedule/point.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// Reads the target (schedule/target.h). `path` is empty: no steering. Ends the program if the file
// cannot be used.
bool prepare_steering(const char* path);

// A module was loaded: the target may have places in it.
void steering_modules_changed();

// In the child of a fork.
void stop_steering();

// Stops the thread if the target wants others to come first.
void steer(ThreadState& thread, const Point& point);

}  // namespace omnium::runtime
