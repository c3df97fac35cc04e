// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Critical sections as blocks. An exception that is caught inside a section does not end it. Nor
// does the end of an annotated block that began inside it; and a section that ends inside such a
// block does not end that.
//
// expect: catches (with overwrite), lost update on value
// expect: annotates (with overwrite), lost update on value
// expect: annotated (with overwrite), lost update on value
// options: --blocks locks
// record: no
#include <mutex>
#include <stdexcept>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex outer, mutex;
int value = 0;

__attribute__((noinline)) int look() {
  std::lock_guard lock(mutex);
  return value;
}
__attribute__((noinline)) void put(int to) {
  std::lock_guard lock(mutex);
  value = to;
}

void update(int turns) {
  const int seen = look();
  turn(turns + 1);
  turn(turns + 4);
  put(seen + 1);
}

__attribute__((noinline)) void catches() {
  outer.lock();
  try {
    throw std::runtime_error("as planned");
  } catch (const std::runtime_error&) {
  }
  update(0);
  outer.unlock();
}

__attribute__((noinline)) void annotates() {
  omnium_begin("before");
  outer.lock();
  omnium_end();
  update(4);
  outer.unlock();
}

__attribute__((noinline)) void ends_inside() {
  outer.lock();
  OMNIUM_ATOMIC("annotated");
  outer.unlock();
  update(8);
}

__attribute__((noinline)) void overwrite() {
  mutex.lock();
  value = 10;
  mutex.unlock();
}

int main() {
  std::thread first([] {
    catches();
    annotates();
    ends_inside();
  });
  std::thread second([] {
    for (int turns = 0; turns < 12; turns += 4) {
      turn(turns + 2);
      overwrite();
      turn(turns + 3);
    }
  });
  first.join();
  second.join();
}
