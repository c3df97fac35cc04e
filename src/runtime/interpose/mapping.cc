// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Mapped memory is new memory, and unmapped memory is forgotten.
#include <stdarg.h>
#include <sys/mman.h>

#include "runtime/interpose/allocation.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(mmap);
OMNIUM_REAL(munmap);
OMNIUM_REAL_AS(real_mremap, void*(void*, std::size_t, std::size_t, int, void*), "mremap");

void forget_mapping(const void* address, std::size_t size) {
  forget_range(address, size);
  forget_objects(address, size);
}

void free_mapping(const void* address, std::size_t size, Pc pc) {
  if (size < kLargeFree) free_range(address, size, pc);
  forget_mapping(address, size);
}

void* map(void* wish, std::size_t size, int protection, int flags, int file, off_t offset) {
  void* mapped = real_mmap(wish, size, protection, flags, file, offset);
  if (mapped != MAP_FAILED) forget_mapping(mapped, size);
  return mapped;
}

}  // namespace

OMNIUM_INTERPOSE void* mmap(void* wish, std::size_t size, int protection, int flags, int file,
                            off_t offset) noexcept {
  return map(wish, size, protection, flags, file, offset);
}

OMNIUM_INTERPOSE void* mmap64(void* wish, std::size_t size, int protection, int flags, int file,
                              off64_t offset) noexcept {
  return map(wish, size, protection, flags, file, offset);
}

OMNIUM_INTERPOSE int munmap(void* address, std::size_t size) noexcept {
  free_mapping(address, size, OMNIUM_USER_PC());
  return real_munmap(address, size);
}

OMNIUM_INTERPOSE void* mremap(void* address, std::size_t old_size, std::size_t size, int flags,
                              ...) noexcept {
  va_list arguments;
  va_start(arguments, flags);
  void* wish = (flags & MREMAP_FIXED) != 0 ? va_arg(arguments, void*) : nullptr;
  va_end(arguments);
  free_mapping(address, old_size, OMNIUM_USER_PC());
  void* moved = real_mremap(address, old_size, size, flags, wish);
  if (moved != MAP_FAILED) forget_mapping(moved, size);
  return moved;
}

}  // namespace omnium::runtime
