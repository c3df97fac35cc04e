// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Several threads signal for the same object again and again. A block that begins after its
// thread's signal is not to blame for it; the block around the signal is.
//
// expect: outer (with await_and_set), cycle of 2 transactions on object and value
#include <pthread.h>

#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);

constexpr int kThreads = 4, kRounds = 4, kSignals = kThreads * kRounds;

int object, value;

void inner() {
  OMNIUM_ATOMIC("inner");
  turn(kSignals + 1);
  turn(kSignals + 4);
  static_cast<void>(*const_cast<volatile int*>(&value));
}

void outer() {
  OMNIUM_ATOMIC("outer");
  __tsan_release(&object);
  inner();
}

void signal_often(int thread) {
  {
    OMNIUM_ATOMIC("signal_often");
    for (int round = 0; round < kRounds; ++round) {
      turn(kThreads * round + thread + 1);
      __tsan_release(&object);
    }
    if (thread != 0) turn(kSignals + 5 + thread);
  }
  if (thread == 0) outer();
}

void await_and_set() {
  OMNIUM_ATOMIC("await_and_set");
  turn(kSignals + 2);
  __tsan_acquire(&object);
  value = 1;
  turn(kSignals + 3);
}

int main() {
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) threads[i] = std::thread(signal_often, i);
  std::thread awaiter(await_and_set);
  threads[0].join();
  turn(kSignals + 5);
  for (int i = 1; i < kThreads; ++i) threads[i].join();
  awaiter.join();
}
