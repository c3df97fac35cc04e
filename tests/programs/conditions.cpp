// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Queues with condition variables, semaphores and once, as they ought to be: a block is what
// happens between two waits.
//
// expect: nothing
#include <pthread.h>
#include <semaphore.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

constexpr int kItems = 200;

std::mutex mutex;
std::condition_variable changed;
std::vector<int> queue;
int ring[4];
sem_t used, unused;
pthread_once_t once = PTHREAD_ONCE_INIT;
int initialized = 0;
long taken = 0, received = 0;

int wait_and_pop() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return !queue.empty(); });
  OMNIUM_ATOMIC("pop");
  const int item = queue.back();
  queue.pop_back();
  return item;
}

void push(int item) {
  OMNIUM_ATOMIC("push");
  std::lock_guard lock(mutex);
  queue.push_back(item);
  changed.notify_one();
}

void send() {
  pthread_once(&once, [] { initialized += 1; });
  for (int i = 0; i < kItems; ++i) {
    push(1);
    sem_wait(&unused);
    {
      OMNIUM_ATOMIC("send");
      ring[i % 4] = i;
    }
    sem_post(&used);
  }
}

void receive() {
  pthread_once(&once, [] { initialized += 1; });
  for (int i = 0; i < kItems; ++i) {
    taken += wait_and_pop();
    sem_wait(&used);
    {
      OMNIUM_ATOMIC("receive");
      received += ring[i % 4];
    }
    sem_post(&unused);
  }
}

int main() {
  sem_init(&used, 0, 0);
  sem_init(&unused, 0, 4);
  std::thread sender(send), receiver(receive);
  sender.join();
  receiver.join();
  return initialized == 1 && taken == kItems && received == kItems * (kItems - 1) / 2 ? 0 : 1;
}
