// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: deadlock
// variants: PHILOSOPHERS=3, PHILOSOPHERS=16
// The philosophers take the fork on their left, then the one on their right. It shows if each has
// the left one before any takes the right one: all wait for ever.
#include <pthread.h>

static pthread_mutex_t forks[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void* dine(void* place) {
  const int number = (int)((int*)place - meals);
  int left = number;
  int right = (number + 1) % PHILOSOPHERS;
#ifdef FIXED
  if (right < left) {
    left = right;
    right = number;
  }
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  ++meals[number];
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return NULL;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; ++i) pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < PHILOSOPHERS; ++i) pthread_create(&threads[i], NULL, dine, &meals[i]);
  for (int i = 0; i < PHILOSOPHERS; ++i) pthread_join(threads[i], NULL);
  return 0;
}
