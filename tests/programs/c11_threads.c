// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads, mutexes, condition variables and call_once of C11; then a lost update.
//
// expect: slow_add (with add), lost update on counter
#include <stdlib.h>
#include <threads.h>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static int counter, initialized, items;
static tss_t key;

static void initialize(void) {
  initialized += 1;
  tss_create(&key, free);
}

static void add(int by) {
  omnium_begin("add");
  mtx_lock(&mutex);
  counter += by;
  mtx_unlock(&mutex);
  omnium_end();
}

static int produce(void* unused) {
  (void)unused;
  call_once(&once, initialize);
  tss_set(key, malloc(8));
  for (int i = 0; i < 100; ++i) {
    mtx_lock(&mutex);
    items += 1;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
    add(1);
  }
  return 0;
}

static int consume(void* unused) {
  (void)unused;
  call_once(&once, initialize);
  for (int i = 0; i < 100; ++i) {
    mtx_lock(&mutex);
    while (items == 0) cnd_wait(&changed, &mutex);
    items -= 1;
    mtx_unlock(&mutex);
  }
  thrd_exit(7);
}

static int slow_add(void* unused) {
  (void)unused;
  omnium_begin("slow_add");
  mtx_lock(&mutex);
  int seen = counter;
  mtx_unlock(&mutex);
  turn(1);
  turn(4);
  while (mtx_trylock(&mutex) != thrd_success) thrd_yield();
  counter = seen + 1;
  mtx_unlock(&mutex);
  omnium_end();
  return 0;
}

static int quick_add(void* unused) {
  (void)unused;
  turn(2);
  add(1);
  turn(3);
  return 0;
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  thrd_t first, second;
  int status = 0;
  thrd_create(&first, produce, NULL);
  thrd_create(&second, consume, NULL);
  thrd_join(first, NULL);
  thrd_join(second, &status);
  if (status != 7 || items != 0 || initialized != 1) return 1;
  thrd_create(&first, slow_add, NULL);
  thrd_create(&second, quick_add, NULL);
  thrd_join(first, NULL);
  thrd_join(second, NULL);
  mtx_destroy(&mutex);
  cnd_destroy(&changed);
  return 0;
}
