// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A state that is wrong only for a moment: rotate() closes the log and opens the next one. Somebody
// looks in between, finds it closed, and drops a record.
//
// expect: rotate (with record), dirty read on journal.state
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

enum State { kOpen, kClosed };

struct Journal {
  std::mutex mutex;
  State state = kOpen;
  int file = 1;
};

Journal journal;

void set_state(State state) {
  std::lock_guard lock(journal.mutex);
  journal.state = state;
}

void rotate() {
  OMNIUM_ATOMIC("rotate");
  set_state(kClosed);
  turn(1);
  turn(4);
  {
    std::lock_guard lock(journal.mutex);
    journal.file += 1;
  }
  set_state(kOpen);
}

bool record() {
  OMNIUM_ATOMIC("record");
  std::lock_guard lock(journal.mutex);
  return journal.state == kOpen;
}

int main() {
  std::thread rotator([] {
    pthread_setname_np(pthread_self(), "rotator");
    rotate();
  });
  std::thread writer([] {
    pthread_setname_np(pthread_self(), "writer");
    turn(2);
    if (!record()) std::printf("a record was dropped\n");
    turn(3);
  });
  rotator.join();
  writer.join();
}
