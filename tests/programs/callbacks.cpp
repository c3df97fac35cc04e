// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Libraries without instrumentation call back into the program: qsort, atexit, destructors of
// thread-specific data and of thread_local objects, std::sort on a deque.
//
// expect: nothing
#include <pthread.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

std::mutex mutex;
int destroyed = 0;
pthread_key_t key;

void count_destroyed() {
  OMNIUM_ATOMIC("destroy");
  std::lock_guard lock(mutex);
  destroyed += 1;
}

struct Local {
  ~Local() { count_destroyed(); }
  int value = 0;
};

thread_local Local local;

int compare(const void* a, const void* b) {
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

void work(int seed) {
  OMNIUM_ATOMIC("work");
  std::vector<int> numbers(100);
  for (int& number : numbers) number = seed = (seed * 75 + 74) % 65537;
  std::deque<int> copy(numbers.begin(), numbers.end());
  std::qsort(numbers.data(), numbers.size(), sizeof(int), compare);
  std::ranges::sort(copy);
  std::ostringstream text;
  text << numbers.front() << ' ' << numbers.back() << '\n';
  if (!std::ranges::equal(numbers, copy)) std::cerr << text.str();
  local.value = numbers[0];
  pthread_setspecific(key, &local);
}

int main() {
  pthread_key_create(&key, [](void*) { count_destroyed(); });
  std::atexit([] { std::cout << destroyed << " destroyed\n"; });
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  return destroyed == 8 ? 0 : 1;
}
