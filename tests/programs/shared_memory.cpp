// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Memory near which both threads, each in a block of its own, have been before: the short ways for
// words, bytes and reader-writer locks see what matters.
//
// options: --conflicts all
// expect: read word (with write word), unrepeatable read on shared.word
// expect: write word (with read word), dirty read on shared.other_word
// expect: read byte (with write byte), unrepeatable read on shared.byte
// expect: write byte (with read byte), dirty read on shared.other_byte
// expect: read lock (with write lock), unrepeatable read on reader-writer lock shared.lock
// expect: write lock (with read lock), dirty read on reader-writer lock shared.lock
// expect with --conflicts data: read word (with write word), unrepeatable read on shared.word
// expect with --conflicts data: write word (with read word), dirty read on shared.other_word
// expect with --conflicts data: read byte (with write byte), unrepeatable read on shared.byte
// expect with --conflicts data: write byte (with read byte), dirty read on shared.other_byte
// record: no
#include <pthread.h>

#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct alignas(1 << 14) Shared {
  volatile long before[2];
  volatile long word, other_word;
  alignas(4) volatile char byte;
  alignas(4) volatile char other_byte;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
} shared;

// One thread does something twice in a block, and the other something else in between.
template <typename Twice, typename Between>
void take_turns(bool first, int turns, const char* mine, const char* others, Twice twice,
                Between between) {
  if (first) {
    omnium_begin(mine);
    twice();
    turn(turns + 1);
    turn(turns + 4);
    twice();
    omnium_end();
    turn(turns + 5);
  } else {
    turn(turns + 2);
    omnium_begin(others);
    between();
    omnium_end();
    turn(turns + 3);
    turn(turns + 6);
  }
}

void read_lock() {
  pthread_rwlock_rdlock(&shared.lock);
  pthread_rwlock_unlock(&shared.lock);
}

void write_lock() {
  pthread_rwlock_wrlock(&shared.lock);
  pthread_rwlock_unlock(&shared.lock);
}

void run(bool first) {
  {
    OMNIUM_ATOMIC("before");
    shared.before[first ? 0 : 1] = 1;
  }
  take_turns(
      first, 0, "read word", "write word", [] { (void)shared.word; }, [] { shared.word = 1; });
  take_turns(
      first, 6, "write word", "read word", [] { shared.other_word = 1; },
      [] { (void)shared.other_word; });
  take_turns(
      first, 12, "read byte", "write byte", [] { (void)shared.byte; }, [] { shared.byte = 1; });
  take_turns(
      first, 18, "write byte", "read byte", [] { shared.other_byte = 1; },
      [] { (void)shared.other_byte; });
  take_turns(first, 24, "read lock", "write lock", read_lock, write_lock);
  take_turns(first, 30, "write lock", "read lock", write_lock, read_lock);
}

int main() {
  std::thread first(run, true), second(run, false);
  first.join();
  second.join();
}
