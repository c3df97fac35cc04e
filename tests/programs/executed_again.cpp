// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that executes itself, in a thread and inside a block, and then does something wrong.
// The recording of the first process image is in use: the second one has its own.
//
// expect: slow_add (with add), lost update on counter.value
#include <unistd.h>

#include <cstdlib>

#include "lost_update.h"

int main(int count, char** arguments) {
  if (count > 1) {
    lose_update();
    return 0;
  }
  std::thread([&] {
    OMNIUM_ATOMIC("execute");
    add();
    execl("/proc/self/exe", arguments[0], "again", nullptr);
    std::abort();
  }).join();
}
