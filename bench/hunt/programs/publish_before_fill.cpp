// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: put
// A queue for one producer and one consumer counts the item before it writes it. It shows if the
// consumer comes in between: it takes a place that is still empty.
#include <atomic>
#include <cassert>
#include <thread>

#include <omnium/atomic.h>

std::atomic<int> places[4];
std::atomic<int> used{0};

void put(int item) {
  OMNIUM_ATOMIC("put");
  const int place = used.load();
#ifdef FIXED
  places[place].store(item);
  used.store(place + 1);
#else
  used.store(place + 1);
  places[place].store(item);
#endif
}

void take() {
  OMNIUM_ATOMIC("take");
  if (used.load() == 0) return;
  assert(places[0].load() != 0);
}

int main() {
  std::thread producer(put, 7);
  std::thread consumer(take);
  producer.join();
  consumer.join();
}
