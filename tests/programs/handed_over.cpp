// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Two values change hands in many ways, and never are both threads at work on them: nothing could
// happen in another order. The wait is outside the blocks.
//
// expect: nothing
// predict: nothing
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include <atomic>
#include <barrier>
#include <future>
#include <latch>
#include <semaphore>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Values {
  long first = 0, second = 0, sum = 0;

  void produce() {
    OMNIUM_ATOMIC("produce");
    first = 1;
    second = 2;
  }
  void consume() {
    OMNIUM_ATOMIC("consume");
    sum = first + second;
    first = 0;
    second = 0;
  }
};

// `give` and `take` order the two threads.
template <typename Give, typename Take>
void hand_over(Give give, Take take) {
  auto values = std::make_unique<Values>();
  std::thread producer([&] {
    values->produce();
    give();
  });
  std::thread consumer([&] {
    if (take()) values->consume();
  });
  producer.join();
  consumer.join();
}

template <typename Give, typename Take>
void hand_over_always(Give give, Take take) {
  hand_over(give, [&] {
    take();
    return true;
  });
}

void with_the_c_library() {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  hand_over_always([&] { sem_post(&semaphore); }, [&] { sem_wait(&semaphore); });
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  const auto meet = [&] { pthread_barrier_wait(&barrier); };
  hand_over_always(meet, meet);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  hand_over_always([&] { pthread_mutex_unlock(&mutex); }, [&] { pthread_mutex_lock(&mutex); });
}

void with_the_cxx_library() {
  std::promise<void> promise;
  hand_over_always([&] { promise.set_value(); }, [&] { promise.get_future().wait(); });
  std::latch latch(1);
  hand_over_always([&] { latch.count_down(); }, [&] { latch.wait(); });
  std::barrier barrier(2);
  hand_over_always([&] { (void)barrier.arrive(); }, [&] { barrier.arrive_and_wait(); });
  std::counting_semaphore<4> semaphore(0);
  hand_over_always([&] { semaphore.release(); }, [&] { semaphore.acquire(); });
}

void with_atomics() {
  std::atomic<bool> ready{false};
  hand_over_always([&] { ready.store(true, std::memory_order_release); },
                   [&] {
                     while (!ready.load(std::memory_order_acquire)) sched_yield();
                   });
  std::atomic<int> state{0};
  hand_over_always(
      [&] {
        state = 1;
        state.notify_one();
      },
      [&] { state.wait(0); });
  std::atomic<bool> tested{false};
  hand_over(
      [&] {
        tested = true;
        turn(1);
      },
      [&] {
        turn(2);
        return tested.load();
      });
}

int main() {
  with_the_c_library();
  with_the_cxx_library();
  with_atomics();
}
