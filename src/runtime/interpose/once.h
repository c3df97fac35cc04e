// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What runs once precedes everything that relies on it: the run writes the flag and everybody who
// finds it done reads it. What was read before the run is forgotten: whoever saw the flag unset
// only went on to wait. So the flag needs no memory of ours, and a check of it that the compiler
// puts into the program's code (static variables) counts like any other. What libraries do once for
// themselves does not count.
#pragma once

#include "runtime/events/events.h"

namespace omnium::runtime {

inline void once_done(const void* flag, std::size_t size, Pc pc) {
  if (!is_program_code(pc)) return;
  write_anew(flag, size, pc);
}

inline void once_relied_on(const void* flag, std::size_t size, Pc pc) {
  if (is_program_code(pc)) read_range(flag, size, pc);
}

}  // namespace omnium::runtime
