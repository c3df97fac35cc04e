// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What C++20 offers for threads, used as it ought to be: nothing inside a block waits for another
// thread.
//
// expect: nothing
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

using namespace std::chrono_literals;

constexpr int kThreads = 3;

std::mutex mutex;
std::timed_mutex timed_mutex;
std::recursive_mutex recursive_mutex;
std::shared_mutex shared_mutex;
std::once_flag once;
std::condition_variable_any changed;
std::latch start(kThreads);
std::barrier phase(kThreads);
std::counting_semaphore<8> tokens(0);
int plain = 0, timed = 0, recursive = 0, shared = 0, initialized = 0, posted = 0;
int cells[kThreads];
std::atomic<int> sum{0};

void under_locks() {
  {
    OMNIUM_ATOMIC("timed");
    if (timed_mutex.try_lock_for(20s)) {
      timed += 1;
      timed_mutex.unlock();
    }
  }
  {
    OMNIUM_ATOMIC("recursive");
    std::lock_guard outer(recursive_mutex);
    recursive += 1;
    std::lock_guard inner(recursive_mutex);
    recursive += 1;
  }
  {
    OMNIUM_ATOMIC("shared");
    std::unique_lock lock(shared_mutex);
    shared += 1;
  }
  {
    OMNIUM_ATOMIC("look");
    std::shared_lock lock(shared_mutex);
    sum.fetch_add(shared > 0 ? 1 : 0);
  }
}

void work(int thread) {
  start.arrive_and_wait();
  std::call_once(once, [] { initialized += 1; });
  for (int round = 0; round < 10; ++round) {
    under_locks();
    {
      OMNIUM_ATOMIC("fill");
      cells[thread] = initialized;
    }
    phase.arrive_and_wait();
    {
      OMNIUM_ATOMIC("add up");
      int total = 0;
      for (const int cell : cells) total += cell;
      sum.fetch_add(total);
    }
    phase.arrive_and_wait();
  }
}

int async_work() {
  OMNIUM_ATOMIC("async");
  std::lock_guard lock(mutex);
  return ++plain;
}

// A producer hands numbers to a consumer through a semaphore, and one through a condition variable.
void hand_over(std::stop_token stop) {
  tokens.acquire();
  {
    OMNIUM_ATOMIC("take");
    sum.fetch_add(posted);
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, stop, [] { return plain < 0; });
}

int main() {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back(work, thread);
  std::vector<std::future<int>> futures;
  for (int i = 0; i < 4; ++i) futures.push_back(std::async(std::launch::async, async_work));
  int highest = 0;
  for (auto& future : futures) highest = std::max(highest, future.get());
  for (std::thread& thread : threads) thread.join();
  {
    std::jthread consumer(hand_over);
    posted = 1000;
    tokens.release();
  }  // asks it to stop, and joins
  const bool right = highest == 4 && timed == 30 && recursive == 60 && shared == 30;
  return right && initialized == 1 && sum == 30 + 90 + 1000 ? 0 : 1;
}
