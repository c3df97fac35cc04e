// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Fibers: logical threads that take turns on one real thread. What one does in the middle of
// another's block is a violation although there is no second thread.
//
// expect: slow_add (with add), lost update on value
#include <ucontext.h>

#include <omnium/atomic.h>

volatile int value = 0;

struct Fiber {
  ucontext_t context = {};
  void* known_as = nullptr;
  char stack[256 * 1024];
};

Fiber slow, quick;
ucontext_t main_context;
void* main_fiber;

void resume(ucontext_t& from, Fiber& to) {
  omnium_fiber_enter(to.known_as);
  swapcontext(&from, &to.context);
}

void leave(Fiber& from) {
  omnium_fiber_enter(main_fiber);
  swapcontext(&from.context, &main_context);
}

void slow_add() {
  {
    OMNIUM_ATOMIC("slow_add");
    const int seen = value;
    leave(slow);
    value = seen + 1;
  }
  leave(slow);
}

void add() {
  {
    OMNIUM_ATOMIC("add");
    value = value + 1;
  }
  leave(quick);
}

void prepare(Fiber& fiber, void (*function)()) {
  fiber.known_as = omnium_fiber_create();
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack;
  fiber.context.uc_stack.ss_size = sizeof fiber.stack;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, function, 0);
}

int main() {
  main_fiber = omnium_fiber_current();
  prepare(slow, slow_add);
  prepare(quick, add);
  resume(main_context, slow);
  resume(main_context, quick);
  resume(main_context, slow);
  omnium_fiber_destroy(slow.known_as);
  omnium_fiber_destroy(quick.known_as);
  return value == 1 ? 0 : 1;
}
