// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: Inbox::receive
// functions: all
// A message is read in one critical section and removed in another one. It shows if two consumers
// read before either removes: one message is handled twice, and the next one never.
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>

class Inbox {
 public:
  int first() {
    std::lock_guard lock(mutex_);
    return messages_.front();
  }
  void remove_first() {
    std::lock_guard lock(mutex_);
    messages_.pop_front();
  }
  int receive() {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    const int message = messages_.front();
    messages_.pop_front();
#else
    const int message = first();
    remove_first();
#endif
    return message;
  }

 private:
  std::mutex mutex_;
  std::deque<int> messages_{1, 2, 3};
};

Inbox inbox;
int received[2];

void consume(int consumer) {
  inbox.first();
  received[consumer] = inbox.receive();
}

int main() {
  std::thread first(consume, 0);
  std::thread second(consume, 1);
  first.join();
  second.join();
  assert(received[0] + received[1] == 3);
}
