// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: shut
// A descriptor is closed if it is still open, and then marked as closed. It shows if two threads
// find it open: it is closed twice, and the second time it may already be another file.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include <omnium/atomic.h>

static atomic_int descriptor;
static atomic_int failures;

static void* shut(void* unused) {
  omnium_begin("shut");
#ifdef FIXED
  const int open = atomic_exchange(&descriptor, -1);
#else
  const int open = atomic_load(&descriptor);
#endif
  if (open >= 0) {
    if (close(open) != 0) atomic_fetch_add(&failures, 1);
#ifndef FIXED
    atomic_store(&descriptor, -1);
#endif
  }
  omnium_end();
  return unused;
}

int main(void) {
  int ends[2];
  pthread_t threads[2];
  if (pipe(ends) != 0) return 0;
  atomic_store(&descriptor, ends[0]);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, shut, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return atomic_load(&failures);
}
