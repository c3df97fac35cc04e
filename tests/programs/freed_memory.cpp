// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Memory that was freed and allocated again by another thread is another object: two threads that
// get the same address in turn, inside blocks, have nothing to do with each other.
//
// expect: nothing
#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

constexpr std::size_t kSize = 5000;

// What the heap keeps for each thread comes from the first allocation.
void warm_up() {
  void* volatile small = std::malloc(1);
  std::free(small);
}

// Memory that the heap and the kernel are likely to give to the next who asks. Where it was.
std::uintptr_t use() {
  auto* block = static_cast<volatile char*>(std::malloc(kSize));
  block[100] = 1;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  void* page = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static_cast<volatile char*>(page)[100] = 1;
  munmap(page, kSize);
  std::free(const_cast<char*>(block));
  return address;
}

int main() {
  mallopt(M_ARENA_MAX, 1);
  std::uintptr_t mine = 0, mine_again = 0, theirs = 0;
  std::thread first([&] {
    warm_up();
    turn(2);
    OMNIUM_ATOMIC("first");
    mine = use();
    turn(3);
    turn(6);
    mine_again = use();
  });
  std::thread second([&] {
    warm_up();
    turn(1);
    turn(4);
    {
      OMNIUM_ATOMIC("second");
      theirs = use();
    }
    turn(5);
  });
  first.join();
  second.join();
  std::printf("%s\n", mine == theirs && mine == mine_again ? "the same address" : "not the same");
}
