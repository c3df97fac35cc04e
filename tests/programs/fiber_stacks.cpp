// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A fiber is left for good in the middle of its functions, and the next one gets its stack: their
// variables have nothing to do with each other.
//
// expect: nothing
#include <ucontext.h>

#include <cstdlib>
#include <thread>

#include "same_place.h"

constexpr std::size_t kStack = 64 * 1024;
alignas(16) char stack[kStack];
ucontext_t fiber, scheduler;

__attribute__((noinline)) void fill(long* local) {
  for (int i = 0; i < 600; ++i) local[i] = i;
}

void first(int a, int b, int c, int d, int e, int f, int g, int h) {
  if (a + b + c + d + e + f + g + h != 36) abort();
  long local = 0;
  publish(&local);
  swapcontext(&fiber, &scheduler);
  abort();
}
void second() {
  long local[600];
  fill(local);
  swapcontext(&fiber, &scheduler);
}

void prepare() {
  getcontext(&fiber);
  fiber.uc_stack.ss_sp = stack;
  fiber.uc_stack.ss_size = kStack;
  fiber.uc_link = nullptr;
}

void run_both() {
  prepare();
  makecontext(&fiber, reinterpret_cast<void (*)()>(first), 8, 1, 2, 3, 4, 5, 6, 7, 8);
  swapcontext(&scheduler, &fiber);
  prepare();
  makecontext(&fiber, second, 0);
  swapcontext(&scheduler, &fiber);
  leave_result();
}

int main() {
  std::thread reader([] { read_there("read", [] {}); }), writer(run_both);
  reader.join();
  writer.join();
}
