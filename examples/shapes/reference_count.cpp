// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A reference count that is decremented, then tested: two atomic operations are not one. Both
// threads see zero, and both destroy the object.
//
// expect: release (with release), overwritten write on buffer.references
#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

struct Buffer {
  std::atomic<int> references{2};
  std::atomic<int> times_freed{0};
};

Buffer buffer;

template <class Pause>
void release(Pause pause) {
  OMNIUM_ATOMIC("release");
  buffer.references.fetch_sub(1);
  pause();
  if (buffer.references.load() == 0) buffer.times_freed.fetch_add(1);
}

int main() {
  std::thread slow([] {
    pthread_setname_np(pthread_self(), "slow");
    release([] {
      turn(1);
      turn(4);
    });
  });
  std::thread quick([] {
    pthread_setname_np(pthread_self(), "quick");
    turn(2);
    release([] {});
    turn(3);
  });
  slow.join();
  quick.join();
  std::printf("freed %d times\n", buffer.times_freed.load());
}
