// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads are cancelled at any moment (PTHREAD_CANCEL_ASYNCHRONOUS) while they only compute, also
// inside the runtime. Others go on with the same memory.
//
// expect: look_twice (with put), unrepeatable read on value
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

enum { kCells = 4096 };
static _Atomic long shared;
static long cells[kCells];
static int cleaned_up;

static void clean_up(void* counter) { *(int*)counter += 1; }

static void* compute(void* spins) {
  pthread_cleanup_push(clean_up, &cleaned_up);
  int before = -1;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
  volatile int* spin = spins;
  while (before != PTHREAD_CANCEL_DEFERRED || *spin != 0) {
  }
  omnium_begin("compute");
  for (unsigned i = 1;; i = i * 1103515245 + 12345) {
    cells[i >> 20] += 1;
    atomic_fetch_add(&shared, 1);
  }
  pthread_cleanup_pop(0);
  return NULL;
}

static int cancel(int spins, unsigned microseconds) {
  pthread_t thread;
  pthread_create(&thread, NULL, compute, &spins);
  usleep(microseconds);
  pthread_cancel(thread);
  void* result = NULL;
  pthread_join(thread, &result);
  return result == PTHREAD_CANCELED;
}

// With a pending request, the thread ends where it allows that.
static void* allow_late(void* released) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  while (!atomic_load((_Atomic int*)released)) {
  }
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  return NULL;
}

static int cancel_disabled(void) {
  _Atomic int released = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, allow_late, &released);
  pthread_cancel(thread);
  usleep(1000);
  atomic_store(&released, 1);
  void* result = NULL;
  pthread_join(thread, &result);
  return result == PTHREAD_CANCELED;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static int look(void) {
  pthread_mutex_lock(&mutex);
  const int seen = value;
  pthread_mutex_unlock(&mutex);
  return seen;
}

static void* put(void* unused) {
  turn(2);
  omnium_begin("put");
  pthread_mutex_lock(&mutex);
  value = 1;
  pthread_mutex_unlock(&mutex);
  omnium_end();
  turn(3);
  return unused;
}

static int look_twice(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, put, NULL);
  omnium_begin("look_twice");
  const int first = look();
  turn(1);
  turn(4);
  const int second = look();
  omnium_end();
  pthread_join(thread, NULL);
  return first != second;
}

int main(void) {
  int cancelled = 0;
  for (unsigned i = 0; i < 200; ++i) {
    cancelled += cancel(0, 100 + i % 17 * 40);
    for (int k = 0; k < kCells; ++k) cells[k] += 1;
    atomic_fetch_add(&shared, 1);
  }
  cancelled += cancel(1, 2000);
  if (cancelled != 201 || cleaned_up != 201 || !cancel_disabled()) return 1;
  return look_twice() ? 0 : 2;
}
