// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: deposit
// A semaphore is used as a lock, but it is given back between the read and the write of the
// balance. It shows if another deposit comes in between: it is lost.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#include <omnium/atomic.h>

static sem_t semaphore;
static long balance;

static void* deposit(void* amount) {
  omnium_begin("deposit");
  sem_wait(&semaphore);
  const long before = balance;
#ifndef FIXED
  sem_post(&semaphore);
  sem_wait(&semaphore);
#endif
  balance = before + *(long*)amount;
  sem_post(&semaphore);
  omnium_end();
  return NULL;
}

int main(void) {
  long amounts[2] = {20, 30};
  pthread_t threads[2];
  sem_init(&semaphore, 0, 1);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, deposit, &amounts[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return balance != 50;
}
