// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A pair of numbers goes through the hands of six threads, each of which gets it from the one
// before in another way. Nobody can touch it out of turn, in this run or in another.
//
// expect: nothing
// predict: nothing
#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include <pthread.h>
#include <semaphore.h>

#include <omnium/atomic.h>

int first = 0, second = 0;

sem_t semaphore;
pthread_barrier_t barrier;
std::atomic<bool> flag{false};
std::promise<void> promise;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void step() {
  OMNIUM_ATOMIC("step");
  ++first;
  second += first;
}

void spin() {
  while (!flag.load()) std::this_thread::yield();
}

int main() {
  sem_init(&semaphore, 0, 0);
  pthread_barrier_init(&barrier, nullptr, 2);
  pthread_mutex_lock(&mutex);
  std::vector<std::thread> threads;
  threads.emplace_back([] {
    step();
    sem_post(&semaphore);
  });
  threads.emplace_back([] {
    sem_wait(&semaphore);
    step();
    pthread_barrier_wait(&barrier);
  });
  threads.emplace_back([] {
    pthread_barrier_wait(&barrier);
    step();
    flag.store(true);
  });
  threads.emplace_back([] {
    spin();
    step();
    promise.set_value();
  });
  threads.emplace_back([] {
    promise.get_future().wait();
    step();
    pthread_mutex_unlock(&mutex);
  });
  threads.emplace_back([] {
    pthread_mutex_lock(&mutex);
    step();
  });
  for (std::thread& thread : threads) thread.join();
  return first == 6 && second == 21 ? 0 : 1;
}
