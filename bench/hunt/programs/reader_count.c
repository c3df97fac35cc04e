// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit, hang
// block: read_data
// The first reader locks the writer out, the last one lets it in again. Who is first is found by a
// second look at the count. It shows if both readers count before either looks: neither locks the
// writer out, and the semaphore is given back once too often. If the second look of one comes only
// when the other has left, it waits for itself.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#include <omnium/atomic.h>

#ifdef FIXED
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#endif
static sem_t writers;
static atomic_int readers;
static atomic_int data;

static void enter(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
  atomic_fetch_add(&readers, 1);
  if (atomic_load(&readers) == 1) sem_wait(&writers);
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
}

static void leave(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
  if (atomic_fetch_sub(&readers, 1) == 1) sem_post(&writers);
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
}

static void* read_data(void* unused) {
  enter();
  omnium_begin("read_data");
  const int first = atomic_load(&data);
  const int second = atomic_load(&data);
  omnium_end();
  leave();
  return first == second ? unused : NULL;
}

static void* write_data(void* unused) {
  sem_wait(&writers);
  atomic_fetch_add(&data, 1);
  sem_post(&writers);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  int count;
  sem_init(&writers, 0, 1);
  pthread_create(&threads[0], NULL, read_data, NULL);
  pthread_create(&threads[1], NULL, read_data, NULL);
  pthread_create(&threads[2], NULL, write_data, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  sem_getvalue(&writers, &count);
  return count != 1;
}
