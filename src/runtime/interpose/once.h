// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A function that runs once precedes everything that relies on it: the run writes the flag, and
// each caller that finds the run done reads it. Reads before the run are forgotten, because a
// thread that saw the flag unset only went on to wait. So we need no table, and a check of the flag
// in the program's own code (for static variables) counts like any other read. What libraries run
// once for their own use does not count.
#pragma once

#include "runtime/events/events.h"

namespace omnium::runtime {

inline void once_done(const void* flag, std::size_t size, Pc pc) {
  if (!is_program_code(pc)) return;
  write_anew(flag, size, pc);
}

inline void once_relied_on(const void* flag, std::size_t size, Pc pc) {
  if (is_program_code(pc)) read_atomically(flag, size, pc);
}

}  // namespace omnium::runtime
