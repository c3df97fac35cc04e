// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The virtual clock of a serial run (docs/hunting.md): a point takes a microsecond, and when
// nothing can run, time jumps to the next deadline. So nobody really sleeps, and clocks say the
// same in each replay. Clocks that measure the work of a processor stay real.
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/state/code.h"

namespace omnium::runtime {

// `start`: what CLOCK_REALTIME says when the program starts, in seconds; 0: the real clock is
// used.
void prepare_virtual_clock(std::uint64_t start);
bool time_is_virtual();

// What the program's clock says. It is the real one unless time is virtual.
timespec time_now(clockid_t clock);
// The real clock's, also if time is virtual.
timespec real_time_now(clockid_t clock);
// The same moment on the real clock.
timespec real_deadline(clockid_t clock, const timespec& deadline);

// The program reads a clock: whoever does so again and again waits for time to pass.
void clock_is_read(Pc pc);
// The run is not serial any more: from now on time passes by itself.
void virtual_time_passes();

}  // namespace omnium::runtime
