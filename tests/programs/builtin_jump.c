// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// __builtin_longjmp out of two blocks ends both; the block around __builtin_setjmp goes on.
//
// expect: around (with overwrite), lost update on other_value
#include <pthread.h>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value, other_value;
static void* back[5];

static int look(const int* at) {
  pthread_mutex_lock(&mutex);
  int seen = *at;
  pthread_mutex_unlock(&mutex);
  return seen;
}

static void put(int* at, int to) {
  pthread_mutex_lock(&mutex);
  *at = to;
  pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) static void inner(void) {
  omnium_begin("inner");
  if (look(&value) == 0) __builtin_longjmp(back, 1);
  omnium_end();
}

__attribute__((noinline)) static void outer(void) {
  omnium_begin("outer");
  inner();
  omnium_end();
}

// No block is open when the other thread comes.
static void* jump_out(void* unused) {
  if (__builtin_setjmp(back) == 0) outer();
  turn(1);
  turn(4);
  put(&value, 1);
  return unused;
}

// One is open.
static void* jump_within(void* unused) {
  turn(5);
  omnium_begin("around");
  const volatile int seen = look(&other_value);
  if (__builtin_setjmp(back) == 0) outer();
  turn(6);
  turn(9);
  put(&other_value, seen + 1);
  omnium_end();
  return unused;
}

static void* overwrite(void* unused) {
  turn(2);
  put(&value, 2);
  turn(3);
  turn(7);
  omnium_begin("overwrite");
  put(&other_value, 2);
  omnium_end();
  turn(8);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&second, NULL, overwrite, NULL);
  pthread_create(&first, NULL, jump_out, NULL);
  pthread_join(first, NULL);
  put(&value, 0);
  pthread_create(&first, NULL, jump_within, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
