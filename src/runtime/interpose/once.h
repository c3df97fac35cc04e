// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A function that runs once precedes everything that relies on it: the run writes the flag, and
// each caller that finds the run done reads it. Reads before the run are forgotten, because a
// thread that saw the flag unset only went on to wait. A check of the flag in the program's own
// code (for static variables) counts like any other read. A caller that had to wait for the run of
// another thread also awaits its signal. What libraries run once for their own use does not count.
#pragma once

#include "runtime/events/events.h"

namespace omnium::runtime {

void once_done(const void* flag, std::size_t size, Pc pc);
void once_relied_on(const void* flag, std::size_t size, bool waited, Pc pc);

}  // namespace omnium::runtime
