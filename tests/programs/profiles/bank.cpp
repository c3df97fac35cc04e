// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads whose body is worker(); take() waits on a condition, deposit() does not. Every thread
// counts in an array.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable filled;
int balance = 0;
int waiting = 0;
int counts[8];

__attribute__((noinline)) void deposit() {
  std::lock_guard lock(mutex);
  balance += 2;
  filled.notify_all();
}

__attribute__((noinline)) void take() {
  std::unique_lock lock(mutex);
  ++waiting;
  while (balance == 0) filled.wait(lock);
  --balance;
}

__attribute__((noinline)) void count() {
  std::lock_guard lock(mutex);
  for (int& each : counts) ++each;
}

void worker() {
  take();
  count();
}

__attribute__((noinline)) bool both_wait() {
  std::lock_guard lock(mutex);
  return waiting == 2;
}

int main() {
  std::thread first(worker), second(worker);
  while (!both_wait()) std::this_thread::yield();
  deposit();
  first.join();
  second.join();
}
