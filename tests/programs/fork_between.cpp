// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block reads a number, another thread adds to it, the block forks, and then adds too. What the
// child adds goes to its own copy, and nobody comes between its steps; in the parent an update is
// lost. What the child loses in a block of its own is found.
//
// expect: parent_goes_on (with add), lost update on shared.value
// expect: slow_add (with add), lost update on counter.value
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "lost_update.h"

Counter shared;

int read_shared() {
  const std::lock_guard lock(shared.mutex);
  return shared.value;
}

void write_shared(int value) {
  const std::lock_guard lock(shared.mutex);
  shared.value = value;
}

void await(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::abort();
}

// Returns true in the child, which has no other thread.
bool child_goes_on() {
  OMNIUM_ATOMIC("child_goes_on");
  const int seen = read_shared();
  turn(1);
  turn(4);
  const pid_t child = fork();
  if (child == 0) {
    write_shared(seen + 1);
    return true;
  }
  await(child);
  return false;
}

void parent_goes_on() {
  OMNIUM_ATOMIC("parent_goes_on");
  const int seen = read_shared();
  turn(5);
  turn(8);
  const pid_t child = fork();
  if (child == 0) _exit(0);
  await(child);
  write_shared(seen + 1);
}

int main() {
  std::thread other([] {
    turn(2);
    add(shared);
    turn(3);
    turn(6);
    add(shared);
    turn(7);
  });
  if (child_goes_on()) {
    turns_taken = 0;
    lose_update();
    _exit(0);
  }
  parent_goes_on();
  other.join();
}
