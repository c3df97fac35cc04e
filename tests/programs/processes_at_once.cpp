// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Many processes ask at the same time which functions are blocks (processes_at_once.spec). Each has
// its functions at other addresses, so each must get its own answer.
//
// expect: slowly_add (with add), lost update on total
// shows: seen 16 times
// functions: all
// record: no
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
int total = 0;

int look() {
  std::lock_guard lock(mutex);
  return total;
}

void put(int value) {
  std::lock_guard lock(mutex);
  total = value;
}

void add() { put(look() + 1); }

void slowly_add() {
  const int value = look();
  turn(1);
  turn(4);
  put(value + 1);
}

int main(int, char** arguments) {
  constexpr int kProcesses = 16;
  if (arguments[1] == nullptr) {
    char again[] = "again";
    char* const words[] = {arguments[0], again, nullptr};
    for (int i = 0; i < kProcesses; ++i) {
      pid_t child;
      if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, words, environ) != 0) return 1;
    }
    int ended = 0;
    while (wait(nullptr) > 0) ++ended;
    return ended == kProcesses ? 0 : 1;
  }
  std::thread slow(slowly_add);
  std::thread quick([] {
    turn(2);
    add();
    turn(3);
  });
  slow.join();
  quick.join();
}
