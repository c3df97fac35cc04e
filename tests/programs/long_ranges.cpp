// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Between the two accesses the block fills a long buffer. That does not make the report forget
// what came before: a place, a lock.
//
// expect: add (with put), lost update on total
// shows: read total :28
// shows: unlock mutex :29
// record: no
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
long total = 0;
std::vector<char> buffer(1 << 16);

void add() {
  OMNIUM_ATOMIC("add");
  long found = 0;
  {
    mutex.lock();
    found = total;
    mutex.unlock();
  }
  std::memset(buffer.data(), 1, buffer.size());
  turn(1);
  turn(4);
  std::lock_guard lock(mutex);
  total = found + 1;
}

void put() {
  OMNIUM_ATOMIC("put");
  std::lock_guard lock(mutex);
  total = 5;
}

int main() {
  buffer[0] = 1;
  std::thread first(add), second([] {
    turn(2);
    put();
    turn(3);
  });
  first.join();
  second.join();
}
