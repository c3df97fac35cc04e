// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: deadlock
// Two threads take a printer and a scanner, each guarded by a semaphore, in different orders. It
// shows if each has the first of its two.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t printer;
static sem_t scanner;

static void use_both(sem_t* first, sem_t* second) {
  sem_wait(first);
  sem_wait(second);
  sem_post(second);
  sem_post(first);
}

static void* copy(void* unused) {
  use_both(&scanner, &printer);
  return unused;
}

static void* file(void* unused) {
#ifdef FIXED
  use_both(&scanner, &printer);
#else
  use_both(&printer, &scanner);
#endif
  return unused;
}

int main(void) {
  pthread_t copier;
  pthread_t filer;
  sem_init(&printer, 0, 1);
  sem_init(&scanner, 0, 1);
  pthread_create(&copier, NULL, copy, NULL);
  pthread_create(&filer, NULL, file, NULL);
  pthread_join(copier, NULL);
  pthread_join(filer, NULL);
  return 0;
}
