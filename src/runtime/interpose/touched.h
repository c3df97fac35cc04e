// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Memory that a function of the C library reads or writes for its caller. That counts if the caller
// is instrumented, like its own accesses; the library itself is not.
#pragma once

#include "runtime/events/events.h"

namespace omnium::runtime {

inline void library_reads(const void* address, std::size_t size, Pc pc) {
  if (size != 0 && is_instrumented_code(pc)) read_range(address, size, pc);
}

inline void library_writes(const void* address, std::size_t size, Pc pc) {
  if (size != 0 && is_instrumented_code(pc)) write_range(address, size, pc);
}

}  // namespace omnium::runtime
