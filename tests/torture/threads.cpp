// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads that come and go: joined, detached, cancelled, ended by pthread_exit, with data of their
// own; fibers.
#include <sched.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "torture.h"

namespace torture {
namespace {

void do_some(Worker& self, unsigned count) {
  for (unsigned i = 0; i < count; ++i) lock_actions()[self.below(lock_actions().size())](self);
}

void join_one(Worker& self) {
  if (self.depth == 2) return;
  Worker child{std::mt19937_64(self.random()), 0, self.depth + 1};
  std::thread thread([&] {
    OMNIUM_ATOMIC(fresh("child").c_str());
    do_some(child, 3);
  });
  if (self.below(2) == 0) do_some(self, 1);
  thread.join();
  self.note(child.sum);
}

void detach_one(Worker& self) {
  sem_t done;
  sem_init(&done, 0, 0);
  std::thread([&done, seed = self.random()] {
    Worker child{std::mt19937_64(seed), 0, 9};
    do_some(child, 2);
    sem_post(&done);
  }).detach();
  sem_wait(&done);
}

void* waits_for_ever(void* semaphore) {
  OMNIUM_ATOMIC(fresh("cancelled").c_str());
  world.wide += 1;
  sem_wait(static_cast<sem_t*>(semaphore));
  return nullptr;
}

void cancel_one(Worker& self) {
  sem_t never;
  sem_init(&never, 0, 0);
  pthread_t thread;
  if (pthread_create(&thread, nullptr, waits_for_ever, &never) != 0) std::abort();
  if (self.below(2) == 0) sched_yield();
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  self.note(result == PTHREAD_CANCELED);
}

void leaves_by_exit(Worker&) {
  OMNIUM_ATOMIC(fresh("left by pthread_exit").c_str());
  world.wide += 1;
  pthread_exit(&world);
}

void exit_one(Worker& self) {
  pthread_t thread;
  const auto body = [](void* worker) -> void* {
    leaves_by_exit(*static_cast<Worker*>(worker));
    return nullptr;
  };
  if (pthread_create(&thread, nullptr, body, &self) != 0) std::abort();
  void* result = nullptr;
  pthread_join(thread, &result);
  self.note(result == &world);
}

struct AtEnd {
  ~AtEnd() { world.wide += 1; }
};

void data_of_its_own(Worker& self) {
  std::thread thread([] {
    thread_local AtEnd at_end;
    static_cast<void>(&at_end);
  });
  thread.join();
  self.note(3);
}

struct Fiber {
  ucontext_t context = {}, outside = {};
  void *known_as = nullptr, *outer = nullptr;
  char stack[128 * 1024];

  void leave() {
    omnium_fiber_enter(outer);
    swapcontext(&context, &outside);
  }
  void enter() {
    omnium_fiber_enter(known_as);
    swapcontext(&outside, &context);
  }
};

void fiber_body(unsigned low, unsigned high) {
  auto* fiber = reinterpret_cast<Fiber*>(std::uintptr_t{high} << 32 | low);
  {
    OMNIUM_ATOMIC(fresh("fiber").c_str());
    world.wide += 1;
    fiber->leave();
    world.wide += 1;
  }
  fiber->leave();
}

void run_fiber(Worker& self) {
  auto fiber = std::make_unique<Fiber>();
  fiber->known_as = omnium_fiber_create();
  fiber->outer = omnium_fiber_current();
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack;
  fiber->context.uc_stack.ss_size = sizeof fiber->stack;
  const auto address = reinterpret_cast<std::uintptr_t>(fiber.get());
  makecontext(&fiber->context, reinterpret_cast<void (*)()>(fiber_body), 2,
              static_cast<unsigned>(address), static_cast<unsigned>(address >> 32));
  fiber->enter();
  do_some(self, 1);
  fiber->enter();
  omnium_fiber_destroy(fiber->known_as);
}

constexpr Action kActions[] = {join_one, detach_one,      cancel_one,
                               exit_one, data_of_its_own, run_fiber};

}  // namespace

std::span<const Action> thread_actions() { return kActions; }

}  // namespace torture
