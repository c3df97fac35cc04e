// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Memory at addresses whose low 44 bits are those of a global variable. It has nothing to do with
// the variable: neither where the program only wishes to have it there, nor where it insists.
//
// expect: nothing
// flags: -no-pie
// warning: memory is mapped at an address that cannot be checked; accesses to it are ignored
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "same_place.h"

alignas(4096) long global[1024];
constexpr std::size_t kBytes = sizeof global;

long* map_far(int flags) {
  auto* const wish =
      reinterpret_cast<void*>(0x600000000000 + reinterpret_cast<std::uintptr_t>(global));
  void* const got =
      mmap(wish, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (got == MAP_FAILED) _exit(1);
  return static_cast<long*>(got);
}

void use(long* memory) {
  publish(global);
  *memory = 2;
  leave_result();
  publish(global);
  std::atomic_ref(*memory).fetch_add(1);
  leave_result();
  publish(global);
  memory[1] = reinterpret_cast<unsigned char*>(memory)[3];
  munmap(memory, kBytes);
  leave_result();
}

int main() {
  std::thread reader([] {
    for (int i = 0; i < 6; ++i) read_there("read", [] {});
  });
  std::thread writer([] {
    use(map_far(0));
    use(map_far(MAP_FIXED));
  });
  reader.join();
  writer.join();
}
