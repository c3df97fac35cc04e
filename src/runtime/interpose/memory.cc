// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// malloc and its family. They call glibc's functions by their second names (__libc_malloc), which
// work from the first instruction on, also in a program that is linked with another allocator.
// Freed memory is forgotten before another thread can get it.
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include <cstring>

#include "runtime/interpose/allocation.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"
#include "runtime/schedule/freed.h"

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* __libc_valloc(std::size_t size);
void* __libc_pvalloc(std::size_t size);
void __libc_free(void* block);
}

namespace omnium::runtime {
namespace {

// What glibc's malloc writes before each block: the size of the chunk around it, and three flags.
std::size_t head_of(const void* block) { return static_cast<const std::size_t*>(block)[-1]; }

// The C library unmaps such a block itself when it is freed, and may map a stack there.
bool is_mapped(const void* block) { return (head_of(block) & 2) != 0; }

// As malloc_usable_size of glibc, which has no second name: another allocator may own the first.
std::size_t usable_size(const void* block) {
  constexpr std::size_t kFlags = 7, kWord = sizeof(std::size_t);
  return (head_of(block) & ~kFlags) - (is_mapped(block) ? 2 * kWord : kWord);
}

void* announced(void* block, std::size_t size, Pc pc) {
  if (block == nullptr) [[unlikely]]
    return nullptr;
  forget_range(block, usable_size(block));
  block_allocated(block, size, pc);
  return block;
}

void free_bytes(const void* address, std::size_t size, Pc pc, bool mapped) {
  if (size < kLargeFree && !mapped && !frees_unreferenced(address)) {
    free_range(address, size, pc);
  } else {
    forget_range(address, size);
  }
  forget_objects(address, size);
}

// In a hunted run the block is kept for a while, so that its use is noticed (schedule/freed.h).
void give_back(void* block, std::size_t size, Pc pc) {
  if (points_matter && !is_mapped(block) && keep_freed(block, size, pc, __libc_free)) [[unlikely]]
    return;
  __libc_free(block);
}

// In a hunted run the block moves each time.
void* moved_to_new(void* block, std::size_t size, Pc pc) {
  void* const moved = __libc_malloc(size);
  if (moved == nullptr) return nullptr;
  const std::size_t old_size = usable_size(block);
  std::memcpy(moved, block, size < old_size ? size : old_size);
  give_back(block, old_size, pc);
  return moved;
}

// A reallocated block is a new object, unless it shrinks where it is. Before the C library frees
// the old bytes they are freed here, because another thread may get them at once.
void* reallocate(void* block, std::size_t size, Pc pc) {
  if (block == nullptr) return announced(__libc_malloc(size), size, pc);
  if (size == 0) {
    free_block(block, pc);
    return nullptr;
  }
  const Freeing freeing(block, pc);
  const std::size_t old_size = usable_size(block);
  const std::size_t kept = size <= old_size ? size : 0;
  free_bytes(static_cast<char*>(block) + kept, old_size - kept, pc, is_mapped(block));
  block_freed(block);
  void* moved = points_matter ? moved_to_new(block, size, pc) : __libc_realloc(block, size);
  if (moved != nullptr && (moved != block || kept == 0)) return announced(moved, size, pc);
  block_allocated(block, moved == nullptr ? old_size : size, pc);
  return moved;
}

}  // namespace

void* allocate(std::size_t size, Pc pc) { return announced(__libc_malloc(size), size, pc); }

void* allocate_aligned(std::size_t alignment, std::size_t size, Pc pc) {
  return announced(__libc_memalign(alignment, size), size, pc);
}

void free_block(void* block, Pc pc) {
  if (block == nullptr) return;
  const Freeing freeing(block, pc);
  const std::size_t size = usable_size(block);
  free_bytes(block, size, pc, is_mapped(block));
  block_freed(block);
  give_back(block, size, pc);
}

void* allocate_quietly(std::size_t size) { return __libc_calloc(1, size); }
void free_quietly(void* block) { __libc_free(block); }

OMNIUM_INTERPOSE void* malloc(std::size_t size) noexcept {
  return allocate(size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE void* calloc(std::size_t count, std::size_t size) noexcept {
  return announced(__libc_calloc(count, size), count * size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE void* realloc(void* block, std::size_t size) noexcept {
  return reallocate(block, size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(block, bytes, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE void free(void* block) noexcept { free_block(block, OMNIUM_USER_PC()); }

OMNIUM_INTERPOSE std::size_t malloc_usable_size(void* block) noexcept {
  return block == nullptr ? 0 : usable_size(block);
}

OMNIUM_INTERPOSE void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return allocate_aligned(alignment, size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return allocate_aligned(alignment, size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE int posix_memalign(void** block, std::size_t alignment,
                                    std::size_t size) noexcept {
  const bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  const int old_errno = errno;
  void* aligned = allocate_aligned(alignment, size, OMNIUM_USER_PC());
  errno = old_errno;
  if (aligned == nullptr) return ENOMEM;
  *block = aligned;
  return 0;
}

OMNIUM_INTERPOSE void* valloc(std::size_t size) noexcept {
  return announced(__libc_valloc(size), size, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE void* pvalloc(std::size_t size) noexcept {
  return announced(__libc_pvalloc(size), size, OMNIUM_USER_PC());
}

}  // namespace omnium::runtime
