// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Copying and filling memory. The drivers link with --wrap, so that the calls of the program come
// here and those of other libraries do not. Newer versions of clang call the __tsan_ names
// directly.
#include <string.h>

#include "runtime/interpose/real.h"

extern "C" {
void* __memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) noexcept;
void* __memmove_chk(void* to, const void* from, std::size_t size, std::size_t room) noexcept;
void* __memset_chk(void* to, int byte, std::size_t size, std::size_t room) noexcept;
}

namespace omnium::runtime {
namespace {

void copying(void* to, const void* from, std::size_t size, Pc pc) {
  if (size == 0) return;
  read_range(from, size, pc);
  write_range(to, size, pc);
}

void filling(void* to, std::size_t size, Pc pc) {
  if (size != 0) write_range(to, size, pc);
}

}  // namespace

#define OMNIUM_COPY(name, real)                                                        \
  OMNIUM_INTERPOSE void* name(void* to, const void* from, std::size_t size) noexcept { \
    copying(to, from, size, OMNIUM_USER_PC());                                         \
    return real(to, from, size);                                                       \
  }
#define OMNIUM_COPY_CHECKED(name, real)                                     \
  OMNIUM_INTERPOSE void* name(void* to, const void* from, std::size_t size, \
                              std::size_t room) noexcept {                  \
    if (size <= room) copying(to, from, size, OMNIUM_USER_PC());            \
    return real(to, from, size, room);                                      \
  }
#define OMNIUM_FILL(name)                                                      \
  OMNIUM_INTERPOSE void* name(void* to, int byte, std::size_t size) noexcept { \
    filling(to, size, OMNIUM_USER_PC());                                       \
    return memset(to, byte, size);                                             \
  }

OMNIUM_COPY(__wrap_memcpy, memcpy)
OMNIUM_COPY(__wrap_memmove, memmove)
OMNIUM_COPY(__tsan_memcpy, memcpy)
OMNIUM_COPY(__tsan_memmove, memmove)
OMNIUM_FILL(__wrap_memset)
OMNIUM_FILL(__tsan_memset)
OMNIUM_COPY_CHECKED(__wrap___memcpy_chk, __memcpy_chk)
OMNIUM_COPY_CHECKED(__wrap___memmove_chk, __memmove_chk)

OMNIUM_INTERPOSE void* __wrap___memset_chk(void* to, int byte, std::size_t size,
                                           std::size_t room) noexcept {
  if (size <= room) filling(to, size, OMNIUM_USER_PC());
  return __memset_chk(to, byte, size, room);
}

}  // namespace omnium::runtime
