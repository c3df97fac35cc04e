// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread is interrupted where it is about to post a semaphore, to notify a thread, or to meet
// others at a barrier. Another thread does the same, and lets a third one through. That one has not
// waited for the interrupted thread, so what it writes then, and the interrupted thread reads,
// makes no cycle. Without the interruption there is one.
//
// beneath: delayed_posts_beneath.c
// expect: posts at once (with consumer#11), cycle of 3 transactions on last_semaphore and result
#include <pthread.h>
#include <semaphore.h>

#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

extern __thread void (*delay)();

sem_t semaphore;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_mutex_t waits = PTHREAD_MUTEX_INITIALIZER;
pthread_barrier_t barrier;
std::mutex mutex;
int result = 0;
volatile int sink;

__attribute__((noinline)) void consume() {
  std::lock_guard lock(mutex);
  ++result;
}
__attribute__((noinline)) void look() {
  std::lock_guard lock(mutex);
  sink = result;
}

int turns;
void wait_for_consumer() {
  turn(turns + 1);
  turn(turns + 4);
}

template <class Function>
void interrupted(const char* name, Function function) {
  omnium_ignore_begin();
  delay = wait_for_consumer;
  omnium_ignore_end();
  omnium_begin(name);
  function();
  look();
  omnium_end();
}

// Two threads do the same, and the first is interrupted; then the third goes on.
template <class Same, class Third>
void run(const char* name, Same same, Third third) {
  std::thread first([=] { interrupted(name, same); });
  std::thread second([=] {
    turn(turns + 2);
    same();
  });
  std::thread last([=] {
    third();
    consume();
    turn(turns + 3);
    third();
  });
  first.join();
  second.join();
  last.join();
  turns += 4;
}

void post() { sem_post(&semaphore); }
void wait() { sem_wait(&semaphore); }

bool somebody_waits, notified;
void notify() {
  omnium_ignore_begin();
  while (!__atomic_load_n(&somebody_waits, __ATOMIC_ACQUIRE)) sched_yield();
  omnium_ignore_end();
  // Until the mutex is free, that thread does not wait yet.
  pthread_mutex_lock(&waits);
  pthread_mutex_unlock(&waits);
  pthread_cond_signal(&condition);
}
void be_notified() {
  omnium_ignore_begin();
  pthread_mutex_lock(&waits);
  __atomic_store_n(&somebody_waits, true, __ATOMIC_RELEASE);
  if (!notified) pthread_cond_wait(&condition, &waits);
  notified = true;
  pthread_mutex_unlock(&waits);
  omnium_ignore_end();
}

void meet() { pthread_barrier_wait(&barrier); }

sem_t last_semaphore;
void post_at_once() {
  omnium_begin("posts at once");
  sem_post(&last_semaphore);
  turn(turns + 1);
  turn(turns + 4);
  look();
  omnium_end();
}
void consumer() {
  turn(turns + 2);
  sem_wait(&last_semaphore);
  consume();
  turn(turns + 3);
}

int main() {
  sem_init(&semaphore, 0, 0);
  sem_init(&last_semaphore, 0, 0);
  pthread_barrier_init(&barrier, nullptr, 2);
  run("posts late", post, wait);
  run("meets late", meet, meet);
  run("notifies late", notify, be_notified);
  std::thread at_once(post_at_once), other(consumer);
  at_once.join();
  other.join();
}
