// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A stack frame is left, and another one comes in its place: their variables have nothing to do
// with each other. A frame can be left by returning, by an exception, or by a jump; it may be as
// large as alloca() makes it, or lie on the stack of a fiber.
//
// expect: nothing
#include <alloca.h>
#include <setjmp.h>
#include <ucontext.h>

#include <cstring>
#include <thread>

#include "same_place.h"

enum class Leave { kReturn, kThrow, kJump };
jmp_buf target;

__attribute__((noinline)) void use(long* local, Leave how) {
  publish(local);
  if (how == Leave::kThrow) throw 1;
  if (how == Leave::kJump) longjmp(target, 1);
}
__attribute__((noinline)) void first(Leave how) {
  long local = 0;
  use(&local, how);
  sink = local;
}
__attribute__((noinline)) void with_alloca() {
  long* local = static_cast<long*>(alloca(1000));
  use(local + 20, Leave::kReturn);
}
__attribute__((noinline)) void deeper(Leave how) {
  char room[100];
  memset(room, static_cast<int>(how), sizeof room);
  first(how);
  sink = room[50];
}
// Writes to all of its frame.
__attribute__((noinline)) void fill(long* local, int size) {
  for (int i = 0; i < size; ++i) local[i] = i;
}
__attribute__((noinline)) void second() {
  long local[300];
  fill(local, 300);
}

template <class Function>
__attribute__((noinline)) void leave_and_return(Function function) {
  if (setjmp(target) == 0) {
    try {
      function();
    } catch (int) {
    }
  }
  second();
  leave_result();
}

// Variables of two scopes in the same frame.
__attribute__((noinline)) void two_scopes() {
  {
    long local = 0;
    publish(&local);
  }
  {
    long local[8];
    fill(local, 8);
  }
}

void leave_all() {
  leave_and_return([] { first(Leave::kReturn); });
  leave_and_return([] { deeper(Leave::kReturn); });
  leave_and_return([] { deeper(Leave::kThrow); });
  leave_and_return([] { deeper(Leave::kJump); });
  leave_and_return(with_alloca);
  leave_and_return(two_scopes);
}

ucontext_t fiber, scheduler;
void run_fiber() {
  leave_all();
  swapcontext(&fiber, &scheduler);
}

void read_all() {
  for (int i = 0; i < 12; ++i) read_there("read", [] {});
}

int main() {
  std::thread reader(read_all);
  std::thread writer([] {
    leave_all();
    constexpr std::size_t kStack = 256 * 1024;
    char* const stack = new char[kStack];
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = kStack;
    fiber.uc_link = nullptr;
    makecontext(&fiber, run_fiber, 0);
    swapcontext(&scheduler, &fiber);
    delete[] stack;
  });
  reader.join();
  writer.join();
}
