// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Critical sections are blocks. Each that is not atomic is told once, whatever closes its window:
// the second round loses another object.
//
// expect: hold (with put_first), lost update on values[0]
// options: --blocks locks
// expect with --blocks locks --no-refine: hold (with put_first), lost update on values[0]
// expect with --blocks locks --no-refine: hold (with put), lost update on values[1]
// record: no
#include <mutex>
#include <thread>

#include "../../examples/shapes/turns.h"

std::mutex outer, inner;
int values[2];

int look(int at) {
  std::lock_guard lock(inner);
  return values[at];
}

__attribute__((noinline)) void put_first(int to) {
  std::lock_guard lock(inner);
  values[0] = to;
}

__attribute__((noinline)) void put(int to) {
  std::lock_guard lock(inner);
  values[1] = to;
}

void hold(int round) {
  std::lock_guard lock(outer);
  const int seen = look(round);
  turn(4 * round + 1);
  turn(4 * round + 4);
  round == 0 ? put_first(seen + 1) : put(seen + 1);
}

int main() {
  std::thread first([] {
    hold(0);
    hold(1);
  });
  std::thread other([] {
    turn(2);
    put_first(10);
    turn(3);
    turn(6);
    put(10);
    turn(7);
  });
  first.join();
  other.join();
}
