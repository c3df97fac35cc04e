// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The opposite of left_frames.cpp and memory_given_back.cpp: the same object all the time, on a
// stack whose other frames come and go, in a segment of System V shared memory, in a mapping (also
// one that the program wants at an address that Omnium does not support).
// program wants at an address that Omnium does not support).
// (A recording has only the addresses of such objects.)
//
// expect: frame (with keep#2), cycle of 3 transactions on local in keep_frame and result
// expect: segment (with keep#2), cycle of 3 transactions on *place_of_object and result
// expect: mapping (with keep#2), cycle of 3 transactions on *place_of_object and result
// expect: far mapping (with keep#2), cycle of 3 transactions on *place_of_object and result
// record: no
#include <sys/mman.h>
#include <sys/shm.h>

#include <cstdint>
#include <cstring>
#include <thread>

#include "same_place.h"

constexpr std::size_t kBytes = 8192;
int segment;

__attribute__((noinline)) void use_stack(const long* local) {
  char room[400];
  memset(room, static_cast<int>(*local), sizeof room);
  sink = room[60];
}

__attribute__((noinline)) void keep_frame() {
  long local = 0;
  use_stack(&local);
  publish(&local);
  use_stack(&local);
  local = 2;
  leave_result();
}

void keep() {
  keep_frame();
  auto* const attached = static_cast<long*>(shmat(segment, nullptr, 0));
  publish(attached);
  *attached = 2;
  leave_result();
  for (const std::uintptr_t wish : {std::uintptr_t{0}, std::uintptr_t{0x600000000000}}) {
    auto* const mapped =
        static_cast<long*>(mmap(reinterpret_cast<void*>(wish), kBytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    publish(mapped);
    *mapped = 2;
    leave_result();
  }
}

void read_all() {
  read_there("frame", [] {});
  read_there("segment", [] {});
  read_there("mapping", [] {});
  read_there("far mapping", [] {});
}

int main() {
  segment = shmget(IPC_PRIVATE, kBytes, 0600);
  std::thread reader(read_all), writer(keep);
  reader.join();
  writer.join();
  shmctl(segment, IPC_RMID, nullptr);
}
