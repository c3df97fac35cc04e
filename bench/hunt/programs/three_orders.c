// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: assertion
// Two threads change two numbers, one after the other; a third one looks at the first number and
// then at the second one. It shows if it sees the first one after `lower` and before `raise`, and
// the second one after `raise` and before `lower`.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int numbers[2] = {10, 10};

static void change(int which, int by) {
  pthread_mutex_lock(&locks[which]);
  numbers[which] += by;
  pthread_mutex_unlock(&locks[which]);
}

static int look(int which) {
  pthread_mutex_lock(&locks[which]);
  const int seen = numbers[which];
  pthread_mutex_unlock(&locks[which]);
  return seen;
}

static void* raise(void* unused) {
  change(0, 1);
  change(1, 1);
  return unused;
}

static void* lower(void* unused) {
  change(0, -5);
  change(1, -6);
  return unused;
}

static void* compare(void* unused) {
  const int first = look(0), second = look(1);
#ifdef FIXED
  assert(first <= 11 && second <= 11);
#else
  assert(first != 5 || second != 11);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, raise, NULL);
  pthread_create(&threads[1], NULL, lower, NULL);
  pthread_create(&threads[2], NULL, compare, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
