// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// "Happens before" by address, as the program declares it: everything before the first call
// precedes everything after the second.
#pragma once

#include "runtime/events/events.h"

namespace omnium::runtime {

void happens_before(const void* address, Pc pc);
void happens_after(const void* address, Pc pc);
void forget_happens_before(const void* address);

}  // namespace omnium::runtime
