// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A lost update although every access is under a semaphore that serves as a lock. The places are
// the program's, not those of the header that tells the runtime about the semaphore.
//
// expect: add (with add), lost update on value
// shows: lock permit :24
// shows: unlock permit :26
// shows: Every access held permit: this is not a data race
#include <semaphore>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::binary_semaphore permit(1);
long value = 0;

void add(int first_turn, int second_turn) {
  OMNIUM_ATOMIC("add");
  turn(first_turn);

  permit.acquire();
  const long seen = value;
  permit.release();

  turn(first_turn + 1);
  turn(second_turn);

  permit.acquire();
  value = seen + 1;
  permit.release();

  turn(second_turn + 1);
}

int main() {
  std::thread first([] { add(1, 7); }), second([] { add(3, 5); });
  first.join();
  second.join();
  return value == 1 ? 0 : 1;
}
