// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// fork while other threads are inside blocks. The child has copies of everything: what it does
// cannot conflict with the parent, and its own violations are found.
//
// expect: slow_add (with add), lost update on counter.value
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Counter {
  std::mutex mutex;
  int value = 0;
};

Counter counter;
std::mutex stop_mutex;
int forked_value = 0;

void add(Counter& to) {
  OMNIUM_ATOMIC("add");
  std::lock_guard lock(to.mutex);
  to.value += 1;
}

void slow_add() {
  OMNIUM_ATOMIC("slow_add");
  int value = 0;
  {
    std::lock_guard lock(counter.mutex);
    value = counter.value;
  }
  turn(1);
  turn(4);
  std::lock_guard lock(counter.mutex);
  counter.value = value + 1;
}

void violate() {
  std::thread slow(slow_add);
  std::thread quick([] {
    turn(2);
    add(counter);
    turn(3);
  });
  slow.join();
  quick.join();
}

// In a block, parent and child both touch what the block has touched before.
void fork_inside() {
  OMNIUM_ATOMIC("fork_inside");
  forked_value += 1;
  const pid_t child = fork();
  forked_value += 1;
  if (child == 0) _exit(forked_value == 2 ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  forked_value += 1;
}

int main() {
  Counter busy;
  bool stop = false;
  std::thread worker([&] {
    for (;;) {
      add(busy);
      std::lock_guard lock(stop_mutex);
      if (stop) return;
    }
  });
  for (int i = 0; i < 10; ++i) {
    forked_value = 0;
    fork_inside();
  }
  const pid_t child = fork();
  if (child == 0) {
    violate();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  {
    std::lock_guard lock(stop_mutex);
    stop = true;
  }
  worker.join();
  return status == 0 && counter.value == 0 ? 0 : 1;
}
