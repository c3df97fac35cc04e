// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The functions of jemalloc beyond the standard ones. Programs may free by one family what they
// allocated by the other, and the standard one is ours.
#include <malloc.h>
#include <string.h>

#include "runtime/interpose/allocation.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

constexpr int kAlignmentBits = 63, kZero = 64;  // of flags; the rest is about jemalloc's caches
constexpr std::size_t kUsualAlignment = 16;

void* allocate_with(std::size_t size, int flags, Pc pc) {
  const std::size_t alignment = std::size_t{1} << (flags & kAlignmentBits);
  void* block =
      alignment <= kUsualAlignment ? allocate(size, pc) : allocate_aligned(alignment, size, pc);
  if (block != nullptr && (flags & kZero) != 0) memset(block, 0, malloc_usable_size(block));
  return block;
}

}  // namespace

OMNIUM_INTERPOSE void* mallocx(std::size_t size, int flags) noexcept {
  return allocate_with(size, flags, OMNIUM_USER_PC());
}

OMNIUM_INTERPOSE void* rallocx(void* block, std::size_t size, int flags) noexcept {
  void* moved = allocate_with(size, flags, OMNIUM_USER_PC());
  if (moved == nullptr) return nullptr;
  const std::size_t old_size = malloc_usable_size(block);
  memcpy(moved, block, old_size < size ? old_size : size);
  free_block(block, OMNIUM_USER_PC());
  return moved;
}

// Resizes in place, which need not be possible.
OMNIUM_INTERPOSE std::size_t xallocx(void* block, std::size_t, std::size_t, int) noexcept {
  return malloc_usable_size(block);
}

OMNIUM_INTERPOSE std::size_t sallocx(const void* block, int) noexcept {
  return malloc_usable_size(const_cast<void*>(block));
}

OMNIUM_INTERPOSE std::size_t nallocx(std::size_t size, int) noexcept { return size; }

OMNIUM_INTERPOSE void dallocx(void* block, int) noexcept { free_block(block, OMNIUM_USER_PC()); }

OMNIUM_INTERPOSE void sdallocx(void* block, std::size_t, int) noexcept {
  free_block(block, OMNIUM_USER_PC());
}

}  // namespace omnium::runtime
