// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Memory for the runtime itself. The C library's function is interposed: it would forget what the
// program had there, cell by cell, which was most of the cost of starting a program.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace omnium::runtime {

// As mmap; MAP_FAILED if there is no memory.
inline void* map_raw(void* at, std::size_t bytes, int protection, int flags, int file,
                     off_t offset) {
  const long memory = syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
  return reinterpret_cast<void*>(memory);
}

}  // namespace omnium::runtime
