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

#include "lost_update.h"

std::mutex stop_mutex;
int forked_value = 0;

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
    lose_update();
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
