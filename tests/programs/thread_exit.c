// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads that end inside a block, by pthread_exit and by cancellation: the block ends with them.
//
// expect: nothing
#include <pthread.h>
#include <time.h>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int value;

static void touch(void) {
  pthread_mutex_lock(&mutex);
  value += 1;
  pthread_mutex_unlock(&mutex);
}

static void* leave(void* unused) {
  omnium_begin("leave");
  touch();
  pthread_exit(unused);
}

static void* sleep_inside(void* unused) {
  omnium_begin("sleep");
  touch();
  struct timespec hour = {3600, 0};
  nanosleep(&hour, NULL);
  omnium_end();
  return unused;
}

static void unlock(void* unused) {
  (void)unused;
  pthread_mutex_unlock(&mutex);
}

// Cancelled while it waits: it has the mutex again when the handler runs.
static void* wait_for_ever(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, NULL);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(1);
  return unused;
}

static void* add(void* unused) {
  omnium_begin("add");
  touch();
  omnium_end();
  touch();
  return unused;
}

int main(void) {
  void* (*const functions[])(void*) = {leave, sleep_inside, wait_for_ever, add};
  pthread_t threads[4];
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, functions[i], NULL);
    struct timespec moment = {0, 5000000};
    nanosleep(&moment, NULL);
    touch();
    pthread_cancel(threads[1]);
    pthread_cancel(threads[2]);
    for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
    touch();
  }
  return 0;
}
