// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// fork while other threads work on a number that the child uses too: whatever they were in the
// middle of, it does not stop the child, in which they do not exist. One of them is detached.
//
// expect: nothing
// record: no
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include <omnium/atomic.h>

std::atomic<int> number;
std::atomic<bool> stop;

void add() {
  OMNIUM_ATOMIC("add");
  number.fetch_add(1);
}

void work() {
  while (!stop) add();
}

int main() {
  std::thread detached(work);
  while (number == 0) std::this_thread::yield();
  detached.detach();
  std::thread first(work), second(work);
  bool good = true;
  for (int i = 0; i < 200; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // ends a child that hangs
      add();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    good = good && status == 0;
  }
  stop = true;
  first.join();
  second.join();
  return good ? 0 : 1;
}
