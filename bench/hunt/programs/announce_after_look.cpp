// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: count
// Mutual exclusion for two threads by two flags and a turn, but a thread looks at the other's flag
// before it announces itself. It shows if both look first.
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

std::atomic<bool> wants[2];
std::atomic<int> turn{0};
std::atomic<int> visits{0};

void enter(int self) {
  const int other = 1 - self;
#ifdef FIXED
  wants[self].store(true);
  turn.store(other);
  while (wants[other].load() && turn.load() == other) std::this_thread::yield();
#else
  turn.store(other);
  while (wants[other].load() && turn.load() == other) std::this_thread::yield();
  wants[self].store(true);
#endif
}

void leave(int self) { wants[self].store(false); }

void visit(int self) {
  enter(self);
  {
    OMNIUM_ATOMIC("count");
    const int before = visits.load();
    visits.store(before + 1);
  }
  leave(self);
}

int main() {
  std::thread first(visit, 0);
  std::thread second(visit, 1);
  first.join();
  second.join();
  return visits.load() == 2 ? 0 : 1;
}
