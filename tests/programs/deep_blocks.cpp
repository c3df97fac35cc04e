// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Thousands of blocks that the specification excludes (deep_blocks.spec), around one that it does
// not. An exception that is caught inside ends none of them.
//
// expect: slow_take (with take), lost update on counter.value
#include <stdexcept>

#include "lost_update.h"

namespace {

int look() {
  std::lock_guard lock(counter.mutex);
  return counter.value;
}

void slow_take() {
  OMNIUM_ATOMIC("slow_take");
  const int value = look();
  try {
    throw std::runtime_error("caught at once");
  } catch (const std::runtime_error&) {
  }
  turn(1);
  turn(4);
  std::lock_guard lock(counter.mutex);
  counter.value = value - 1;
}

void descend(int depth) {
  OMNIUM_ATOMIC("around");
  if (depth == 0) return slow_take();
  descend(depth - 1);
}

void take() {
  OMNIUM_ATOMIC("take");
  std::lock_guard lock(counter.mutex);
  counter.value -= 1;
}

}  // namespace

int main() {
  std::thread slow([] { descend(3000); });
  std::thread quick([] {
    turn(2);
    take();
    turn(3);
  });
  slow.join();
  quick.join();
}
