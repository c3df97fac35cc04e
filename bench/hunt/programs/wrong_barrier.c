// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, hang
// block: await_all
// The last thread at a barrier resets it and opens the gate of the round; who is the last one is
// found by a second look at the count. It shows if both threads count before either looks: both
// reset the count, and one reset comes after the first arrival at the next round, which is lost.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#include <omnium/atomic.h>

#define THREADS 2
#define ROUNDS 2

static atomic_int arrived;
static sem_t gates[ROUNDS];

static void await_all(int round) {
  omnium_begin("await_all");
#ifdef FIXED
  const int count = atomic_fetch_add(&arrived, 1) + 1;
#else
  atomic_fetch_add(&arrived, 1);
  const int count = atomic_load(&arrived);
#endif
  if (count == THREADS) {
    atomic_store(&arrived, 0);
    sem_post(&gates[round]);
  } else {
    sem_wait(&gates[round]);
  }
  omnium_end();
}

static void* work(void* unused) {
  for (int round = 0; round < ROUNDS; ++round) await_all(round);
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < ROUNDS; ++i) sem_init(&gates[i], 0, 0);
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  return 0;
}
