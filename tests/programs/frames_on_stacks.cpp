// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread with several stacks: a fiber's, and one for signal handlers. An exception that is caught
// on one of them does not end blocks on another, wherever the stacks lie in memory. But who jumps
// out of a signal handler leaves the blocks of the handler.
//
// expect: fiber (with overwrite), lost update on value
// expect: under the handler (with overwrite), lost update on value
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <cstdlib>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

constexpr std::size_t kStack = 256 * 1024;

std::mutex mutex;
int value = 0;

int look() {
  std::lock_guard lock(mutex);
  return value;
}
void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

__attribute__((noinline)) void catch_one() {
  try {
    throw 1;
  } catch (int) {
  }
}

void give_way(int turns) {
  turn(turns + 1);
  turn(turns + 4);
}

ucontext_t fiber_context, scheduler;
void fiber() {
  {
    OMNIUM_ATOMIC("fiber");
    const int seen = look();
    swapcontext(&fiber_context, &scheduler);
    give_way(0);
    put(seen + 1);
  }
  swapcontext(&fiber_context, &scheduler);
}

void run_fiber() {
  void* const stack = malloc(kStack);
  getcontext(&fiber_context);
  fiber_context.uc_stack.ss_sp = stack;
  fiber_context.uc_stack.ss_size = kStack;
  fiber_context.uc_link = nullptr;
  makecontext(&fiber_context, fiber, 0);
  swapcontext(&scheduler, &fiber_context);
  catch_one();
  swapcontext(&scheduler, &fiber_context);
  free(stack);
}

sigjmp_buf target;
void handle(int signal) {
  catch_one();
  if (signal != SIGUSR2) return;
  omnium_begin("left by the handler");
  look();
  siglongjmp(target, 1);
}

void be_signalled(char* stack) {
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = kStack;
  sigaltstack(&alternate, nullptr);
  {
    OMNIUM_ATOMIC("under the handler");
    const int seen = look();
    raise(SIGUSR1);
    give_way(4);
    put(seen + 1);
  }
  if (sigsetjmp(target, 1) == 0) raise(SIGUSR2);
  const int seen = look();
  give_way(8);
  put(seen + 1);
  alternate.ss_flags = SS_DISABLE;
  sigaltstack(&alternate, nullptr);
}

int main() {
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGUSR2, &action, nullptr);
  char stack[kStack];  // above the stack of the thread
  std::thread first([&] {
    run_fiber();
    be_signalled(stack);
  });
  std::thread second([] {
    for (int turns = 0; turns < 12; turns += 4) {
      turn(turns + 2);
      {
        OMNIUM_ATOMIC("overwrite");
        put(10);
      }
      turn(turns + 3);
    }
  });
  first.join();
  second.join();
}
