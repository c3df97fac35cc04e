// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A block that forks two threads and waits for them gives way to them on purpose.
//
// options: --conflicts data --waits split
// expect: nothing
// expect with --conflicts data --waits keep: sum (with part#2), fork and join on part#2
#include <thread>

#include <omnium/atomic.h>

int parts[2], total = 0;

void part(int number) { parts[number] = number + 1; }

void sum() {
  OMNIUM_ATOMIC("sum");
  std::thread first(part, 0), second(part, 1);
  first.join();
  second.join();
  total = parts[0] + parts[1];
}

int main() {
  std::thread worker(sum);
  worker.join();
  return total == 3 ? 0 : 1;
}
