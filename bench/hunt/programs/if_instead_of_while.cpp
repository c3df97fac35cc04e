// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: assertion
// Two consumers wait for an item with `if`, and both are woken for one item. It shows if both wait
// before the producer comes: the second one finds the queue empty.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int items;

void produce() {
  std::lock_guard lock(mutex);
  ++items;
  changed.notify_all();
}

void consume() {
  std::unique_lock lock(mutex);
#ifdef FIXED
  while (items == 0) changed.wait(lock);
#else
  if (items == 0) changed.wait(lock);
#endif
  assert(items > 0);
  --items;
}

int main() {
  std::thread producer([] {
    produce();
    produce();
  });
  std::thread first(consume);
  std::thread second(consume);
  producer.join();
  first.join();
  second.join();
}
