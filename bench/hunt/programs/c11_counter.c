// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: count_visit
// A C11 atomic is loaded and stored where it ought to be added to. It shows if another thread
// counts in between.
#include <stdatomic.h>
#include <threads.h>

#include <omnium/atomic.h>

static atomic_int visits;

static int count_visit(void* unused) {
  omnium_begin("count_visit");
#ifdef FIXED
  atomic_fetch_add(&visits, 1);
#else
  const int before = atomic_load(&visits);
  atomic_store(&visits, before + 1);
#endif
  omnium_end();
  return unused != NULL;
}

int main(void) {
  thrd_t threads[2];
  for (int i = 0; i < 2; ++i) thrd_create(&threads[i], count_visit, NULL);
  for (int i = 0; i < 2; ++i) thrd_join(threads[i], NULL);
  return atomic_load(&visits) != 2;
}
