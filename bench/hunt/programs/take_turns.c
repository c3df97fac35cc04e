// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: assertion
// Two threads add each other's number to their own, seven times each. Somebody believed that no
// number reaches a bound. It shows if they take turns from the first addition to the last one.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define ROUNDS 7

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[2] = {1, 1};

static void* add(void* own) {
  int* const mine = own;
  const int* const other = mine == &numbers[0] ? &numbers[1] : &numbers[0];
  for (int i = 0; i < ROUNDS; ++i) {
    pthread_mutex_lock(&lock);
    *mine += *other;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  int before = 1, bound = 1;
  for (int i = 0; i < 2 * ROUNDS; ++i) {
    const int sum = before + bound;
    before = bound;
    bound = sum;
  }
#ifdef FIXED
  ++bound;
#endif
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(numbers[0] < bound && numbers[1] < bound);
  return 0;
}
