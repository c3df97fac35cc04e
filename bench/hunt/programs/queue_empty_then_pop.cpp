// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: serve
// functions: all
// Two consumers ask whether a queue is empty and then take from it: two calls, each with the lock.
// It shows if both ask while there is a single item left.
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
 public:
  bool empty() {
    std::lock_guard lock(mutex_);
    return items_.empty();
  }
  int pop() {
    std::lock_guard lock(mutex_);
    assert(!items_.empty());
    const int item = items_.front();
    items_.pop_front();
    return item;
  }
  int pop_or(int otherwise) {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return otherwise;
    const int item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::deque<int> items_{7};
};

Queue queue;
int served[2];

void serve(int consumer) {
#ifdef FIXED
  served[consumer] = queue.pop_or(0);
#else
  if (!queue.empty()) served[consumer] = queue.pop();
#endif
}

void consume(int consumer) {
  queue.empty();
  serve(consumer);
}

int main() {
  std::thread first(consume, 0);
  std::thread second(consume, 1);
  first.join();
  second.join();
  assert(served[0] + served[1] == 7);
}
