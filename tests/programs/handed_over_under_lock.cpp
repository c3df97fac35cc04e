// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Two values change hands through a plain variable under a lock: a flag with a condition, and a
// pointer that publishes them. A reader that saw another value of that variable would leave the
// values alone, but a recording does not have the branches of the program: warnings are possible,
// and nothing is certain.
//
// expect: nothing
// predict: possible
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

std::mutex mutex;
std::condition_variable changed;
bool ready = false;
long first = 0, second = 0, sum = 0;

struct Pair {
  long first, second;
};
std::unique_ptr<Pair> published;

void produce() {
  {
    OMNIUM_ATOMIC("produce");
    first = 1;
    second = 2;
  }
  std::lock_guard lock(mutex);
  ready = true;
  changed.notify_one();
}

void consume() {
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
  }
  OMNIUM_ATOMIC("consume");
  sum = first + second;
  first = second = 0;
}

void publish() {
  OMNIUM_ATOMIC("publish");
  auto pair = std::make_unique<Pair>();
  pair->first = 1;
  pair->second = 2;
  std::lock_guard lock(mutex);
  published = std::move(pair);
}

void use() {
  OMNIUM_ATOMIC("use");
  Pair* pair;
  {
    std::lock_guard lock(mutex);
    pair = published.get();
  }
  if (pair != nullptr) sum += pair->first + pair->second;
}

int main() {
  std::thread producer([] {
    produce();
    publish();
    turn(1);
  });
  std::thread consumer([] {
    turn(2);  // so that it does not wait
    consume();
    use();
  });
  producer.join();
  consumer.join();
  return sum == 6 ? 0 : 1;
}
