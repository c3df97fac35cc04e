// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Read skew: the two ends of a range are read one after the other, while another thread replaces
// both. The range [10, 99] has never existed.
//
// expect: width (with move), read skew on range.low and range.high
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

struct Range {
  std::mutex mutex;
  int low = 10;
  int high = 20;
};

Range range;

int low() {
  std::lock_guard lock(range.mutex);
  return range.low;
}

int high() {
  std::lock_guard lock(range.mutex);
  return range.high;
}

int width() {
  OMNIUM_ATOMIC("width");
  const int from = low();
  turn(1);
  turn(4);
  return high() - from;
}

void move(int to) {
  OMNIUM_ATOMIC("move");
  std::lock_guard lock(range.mutex);
  range.low = to;
  range.high = to + 10;
}

int main() {
  std::thread reader([] {
    pthread_setname_np(pthread_self(), "reader");
    std::printf("the range is always 10 wide, here %d\n", width());
  });
  std::thread writer([] {
    pthread_setname_np(pthread_self(), "writer");
    turn(2);
    move(89);
    turn(3);
  });
  reader.join();
  writer.join();
}
