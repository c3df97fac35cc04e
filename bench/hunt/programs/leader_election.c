// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: stand
// Whoever finds no leader becomes one. It shows if two of three candidates find none: there are two
// leaders, each of which believes that it is the only one.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <omnium/atomic.h>

#define CANDIDATES 3

static atomic_int leader;
static int elected[CANDIDATES + 1];

static void* stand(void* place) {
  const int self = (int)((int*)place - elected);
  omnium_begin("stand");
#ifdef FIXED
  int none = 0;
  if (atomic_compare_exchange_strong(&leader, &none, self)) elected[self] = 1;
#else
  if (atomic_load(&leader) == 0) {
    atomic_store(&leader, self);
    elected[self] = 1;
  }
#endif
  omnium_end();
  return NULL;
}

int main(void) {
  pthread_t threads[CANDIDATES];
  int leaders = 0;
  for (int i = 0; i < CANDIDATES; ++i) pthread_create(&threads[i], NULL, stand, &elected[i + 1]);
  for (int i = 0; i < CANDIDATES; ++i) pthread_join(threads[i], NULL);
  for (int i = 1; i <= CANDIDATES; ++i) leaders += elected[i];
  return leaders != 1;
}
