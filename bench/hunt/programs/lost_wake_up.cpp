// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: hang
// A waiter looks at a flag and then waits, without a second look when it has the mutex. It shows if
// the notification comes in between: nobody is waiting yet, and the waiter waits for ever.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> ready{false};

void wait_for_ready() {
#ifdef FIXED
  std::unique_lock lock(mutex);
  while (!ready.load()) changed.wait(lock);
#else
  if (ready.load()) return;
  std::unique_lock lock(mutex);
  changed.wait(lock);
#endif
}

void make_ready() {
  std::lock_guard lock(mutex);
  ready.store(true);
  changed.notify_one();
}

int main() {
  std::thread producer(make_ready);
  std::thread consumer(wait_for_ready);
  producer.join();
  consumer.join();
}
