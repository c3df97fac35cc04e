// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread gives memory back, and another one gets memory at the same address: a segment of System
// V shared memory, a mapping, the end of the data segment, a block of a pool of the C++ library.
// These are new objects.
//
// expect: nothing
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include <cstdlib>
#include <memory_resource>
#include <thread>

#include "same_place.h"

constexpr std::size_t kBytes = 8192;
constexpr std::size_t kSmall = 64;
int first_segment, second_segment;
std::pmr::synchronized_pool_resource pool;
std::pmr::unsynchronized_pool_resource pool_without_lock;

long* must_be_at(void* wanted, void* got) {
  if (got != wanted) _exit(1);
  return static_cast<long*>(got);
}
long* map_at(void* address, int flags) {
  return static_cast<long*>(
      mmap(address, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0));
}

void give_back_all() {
  read_there("detach", [] { shmdt(place_of_object); });
  read_there("unmap", [] { munmap(place_of_object, kBytes); });
  read_there("map over it", [] { map_at(place_of_object, MAP_FIXED); });
  read_there("move", [] { mremap(place_of_object, kBytes, 16 * kBytes, MREMAP_MAYMOVE); });
  read_there("shrink", [] { sbrk(-static_cast<std::intptr_t>(kBytes)); });
  read_there("shrink to", [] {
    if (brk(place_of_object) != 0) _exit(1);
  });
  read_there("pool", [] { pool.deallocate(place_of_object, kSmall); });
  read_there("pool without a lock", [] { pool_without_lock.deallocate(place_of_object, kSmall); });
}

void use(long* memory) {
  *memory = 2;
  leave_result();
}

void use_pool(std::pmr::memory_resource& from) {
  void* const memory = from.allocate(kSmall);
  publish(static_cast<long*>(memory));
  void* again = nullptr;
  for (int i = 0; i < 10'000 && again != memory; ++i) again = from.allocate(kSmall);
  use(must_be_at(memory, again));
}

void get_all() {
  auto* memory = static_cast<long*>(shmat(first_segment, nullptr, 0));
  publish(memory);
  use(must_be_at(memory, shmat(second_segment, memory, 0)));
  publish(memory = map_at(nullptr, 0));
  use(must_be_at(memory, map_at(memory, MAP_FIXED)));
  publish(memory = map_at(nullptr, 0));
  use(memory);
  memory = map_at(nullptr, 0);
  map_at(memory - kBytes / sizeof(long), MAP_FIXED_NOREPLACE);
  publish(memory);
  use(must_be_at(memory, map_at(memory, MAP_FIXED)));
  publish(memory = static_cast<long*>(sbrk(kBytes)));
  use(must_be_at(memory, sbrk(kBytes)));
  sbrk(-static_cast<std::intptr_t>(kBytes));
  publish(memory = static_cast<long*>(sbrk(kBytes)));
  use(must_be_at(memory, sbrk(kBytes)));
  use_pool(pool);
  use_pool(pool_without_lock);
}

int main() {
  first_segment = shmget(IPC_PRIVATE, kBytes, 0600);
  second_segment = shmget(IPC_PRIVATE, kBytes, 0600);
  std::thread reader(give_back_all), writer(get_all);
  reader.join();
  writer.join();
  shmctl(first_segment, IPC_RMID, nullptr);
  shmctl(second_segment, IPC_RMID, nullptr);
}
