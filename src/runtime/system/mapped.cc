// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/system/mapped.h"

#include <sys/mman.h>

#include "runtime/system/print.h"
#include "runtime/system/raw_map.h"

namespace omnium::runtime {

namespace {

constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

}  // namespace

void* map_memory(std::size_t bytes) {
  void* memory = map_raw(nullptr, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (memory == MAP_FAILED) stop_program("out of memory");
  return memory;
}

void map_memory_at(std::uintptr_t address, std::size_t bytes) {
  void* const wanted = reinterpret_cast<void*>(address);
  void* const memory =
      map_raw(wanted, bytes, PROT_READ | PROT_WRITE, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory != wanted) {
    stop_program("cannot map the shadow memory (ulimit -v? another sanitizer?)");
  }
  // With huge pages, one touched byte of the program would cost two megabytes of shadow.
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  madvise(memory, bytes, MADV_DONTDUMP);
}

void clear_pages(void* address, std::size_t bytes) { madvise(address, bytes, MADV_DONTNEED); }

}  // namespace omnium::runtime
