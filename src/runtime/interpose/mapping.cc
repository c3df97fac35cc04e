// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Mapped memory is new memory, and unmapped memory is forgotten: mmap, System V shared memory, and
// the end of the data segment.
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "runtime/interpose/allocation.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(mmap);
OMNIUM_REAL(munmap);
OMNIUM_REAL_AS(real_mremap, void*(void*, std::size_t, std::size_t, int, void*), "mremap");
OMNIUM_REAL(shmat);
OMNIUM_REAL(shmdt);
OMNIUM_REAL(brk);
OMNIUM_REAL(sbrk);

void forget_mapping(const void* address, std::size_t size) {
  forget_range(address, size);
  forget_objects(address, size);
}

void free_mapping(const void* address, std::size_t size, Pc pc) {
  if (size < kLargeFree) free_range(address, size, pc);
  forget_mapping(address, size);
}

void memory_mapped(const void* address, std::size_t size) {
  if (!can_check(address, size)) warn_unchecked();
  forget_mapping(address, size);
}

// A wish is not a demand: if memory there cannot be checked, it is mapped elsewhere.
void* map(void* wish, std::size_t size, int protection, int flags, int file, off_t offset) {
  void* mapped = real_mmap(wish, size, protection, flags, file, offset);
  if (mapped == MAP_FAILED) return mapped;
  const bool demanded = (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0;
  if (!demanded && wish != nullptr && !can_check(mapped, size)) {
    real_munmap(mapped, size);
    mapped = real_mmap(nullptr, size, protection, flags, file, offset);
    if (mapped == MAP_FAILED) return mapped;
  }
  memory_mapped(mapped, size);
  return mapped;
}

constexpr int kDontUnmap = 4;  // MREMAP_DONTUNMAP; glibc may not have it

// Makes the mapping smaller or larger where it is: what stays is the same object. False if that is
// impossible.
bool resize(void* address, std::size_t old_size, std::size_t size, Pc pc) {
  char* const begin = static_cast<char*>(address);
  if (size < old_size) free_mapping(begin + size, old_size - size, pc);
  if (real_mremap(address, old_size, size, 0, nullptr) == MAP_FAILED) return false;
  if (size > old_size) memory_mapped(begin + old_size, size - old_size);
  return true;
}

// An attached segment of System V shared memory.
struct Segment {
  const void* address;
  std::size_t size;
  void clear() { size = 0; }
};
ObjectTable<Segment, 1 << 8> segments;

std::size_t size_of_segment(int id) {
  shmid_ds facts = {};
  return shmctl(id, IPC_STAT, &facts) == 0 ? facts.shm_segsz : 0;
}

void segment_attached(const void* address, std::size_t size) {
  memory_mapped(address, size);
  const ObjectsLock lock;
  if (lock) segments.insert(address).size = size;
}

void segment_leaves(const void* address, Pc pc) {
  std::size_t size = 0;
  {
    const ObjectsLock lock;
    const Segment* known = lock ? segments.find(address) : nullptr;
    if (known != nullptr) size = known->size;
    if (known != nullptr) segments.forget(address);
  }
  if (size != 0) free_mapping(address, size, pc);
}

// The data segment is to end elsewhere.
void data_ends(char* before, char* after, Pc pc) {
  if (after < before) {
    free_mapping(after, static_cast<std::size_t>(before - after), pc);
  } else if (after > before) {
    forget_mapping(before, static_cast<std::size_t>(after - before));
  }
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
  const Pc pc = OMNIUM_USER_PC();
  if ((flags & (MREMAP_FIXED | kDontUnmap)) == 0 && resize(address, old_size, size, pc)) {
    return address;
  }
  if ((flags & MREMAP_MAYMOVE) == 0) return real_mremap(address, old_size, size, flags, wish);
  free_mapping(address, old_size, pc);
  void* moved = real_mremap(address, old_size, size, flags, wish);
  if (moved != MAP_FAILED) memory_mapped(moved, size);
  return moved;
}

OMNIUM_INTERPOSE void* shmat(int id, const void* wish, int flags) noexcept {
  void* attached = real_shmat(id, wish, flags);
  if (attached == MAP_FAILED) return attached;
  segment_attached(attached, size_of_segment(id));
  return attached;
}

OMNIUM_INTERPOSE int shmdt(const void* address) noexcept {
  segment_leaves(address, OMNIUM_USER_PC());
  return real_shmdt(address);
}

OMNIUM_INTERPOSE int brk(void* end) noexcept {
  data_ends(static_cast<char*>(real_sbrk(0)), static_cast<char*>(end), OMNIUM_USER_PC());
  return real_brk(end);
}

OMNIUM_INTERPOSE void* sbrk(std::intptr_t increment) noexcept {
  if (increment != 0) {
    auto* const end = static_cast<char*>(real_sbrk(0));
    data_ends(end, end + increment, OMNIUM_USER_PC());
  }
  return real_sbrk(increment);
}

}  // namespace omnium::runtime
