// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: next_id
// functions: all
// An identifier is read in one critical section and counted up in another. It shows if another
// thread reads it in between: two threads have the same one.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int last_id;

static int read_last(void) {
  pthread_mutex_lock(&mutex);
  const int id = last_id;
  pthread_mutex_unlock(&mutex);
  return id;
}

static void write_last(int id) {
  pthread_mutex_lock(&mutex);
  last_id = id;
  pthread_mutex_unlock(&mutex);
}

int next_id(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
  const int id = ++last_id;
  pthread_mutex_unlock(&mutex);
#else
  const int id = read_last() + 1;
  write_last(id);
#endif
  return id;
}

static void* work(void* id) {
  read_last();
  *(int*)id = next_id();
  return NULL;
}

int main(void) {
  int ids[2];
  pthread_t threads[2];
  write_last(100);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &ids[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return ids[0] == ids[1];
}
