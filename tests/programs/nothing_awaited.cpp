// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A semaphore that was posted before the block began, a future that was ready, and a thread that
// had ended: the block waits for nothing in the middle of its lost update, so it is not cut there.
//
// options: --conflicts data --waits split
// expect: semaphore (with set), lost update on first
// expect: future (with set), lost update on second
// expect: join (with set), lost update on third
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <future>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

sem_t posted;
int first = 0, second = 0, third = 0;

template <class Wait>
void add(const char* label, int& variable, int number, Wait wait) {
  OMNIUM_ATOMIC(label);
  const int seen = variable;
  turn(number);
  turn(number + 3);
  wait();
  variable = seen + 1;
}

void set(int& variable, int number) {
  turn(number + 1);
  {
    OMNIUM_ATOMIC("set");
    variable = 10;
  }
  turn(number + 2);
}

// A thread that has ended already.
std::thread ended_thread() {
  static pid_t number = 0;
  std::thread thread([] {
    omnium_ignore_begin();
    __atomic_store_n(&number, gettid(), __ATOMIC_RELEASE);
    omnium_ignore_end();
  });
  omnium_ignore_begin();
  while (__atomic_load_n(&number, __ATOMIC_ACQUIRE) == 0) sched_yield();
  while (tgkill(getpid(), number, 0) == 0) sched_yield();
  omnium_ignore_end();
  return thread;
}

int main() {
  sem_init(&posted, 0, 0);
  sem_post(&posted);
  std::promise<int> promise;
  std::future<int> ready = promise.get_future();
  promise.set_value(1);
  std::thread ended = ended_thread();
  std::thread adder([&] {
    add("semaphore", first, 1, [] { sem_wait(&posted); });
    add("future", second, 5, [&] { ready.get(); });
    add("join", third, 9, [&] { ended.join(); });
  });
  std::thread setter([] {
    set(first, 1);
    set(second, 5);
    set(third, 9);
  });
  adder.join();
  setter.join();
}
