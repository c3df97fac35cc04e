// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What leaves the program and comes back orders its threads: nobody reads from a pipe before it is
// written. The runtime does not know who waited for whom, so that this is no dependency. But
// recordings say it, and predictions keep the order.
#pragma once

#include <stdio.h>

#include "runtime/events/events.h"

namespace omnium::runtime {

void sending_to(int file, Pc pc);     // before the real call
void received_from(int file, Pc pc);  // after it has succeeded
void sending_to(FILE* file, Pc pc);
void received_from(FILE* file, Pc pc);

void sending_signal(Pc pc);
void signal_received(Pc pc);  // by a handler, or by who waited for it

}  // namespace omnium::runtime
