// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Noise: random delays at points, so that threads meet that never meet in an ordinary run.
#pragma once

#include "runtime/schedule/point.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// `seed` is a number, or empty: no noise. Ends the program if it is neither.
bool prepare_noise(const char* seed);

// Delays the thread, or not.
void make_noise(ThreadState& thread, const Point& point);

}  // namespace omnium::runtime
