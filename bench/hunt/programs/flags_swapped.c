// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: enter, count, work
// Peterson's lock, and the first two lines of `enter` are swapped: a thread offers the turn before
// it says that it is interested. It shows if the other one enters in between, and is still inside
// when the first one looks. The fixed version tells that it is a lock: between its two stores the
// other thread may look in vain, so the function is no atomic block.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <omnium/atomic.h>

static atomic_int interested[2], turn, inside;

static void enter(int self) {
#ifdef FIXED
  omnium_ignore_begin();
  atomic_store(&interested[self], 1);
  atomic_store(&turn, 1 - self);
#else
  atomic_store(&turn, 1 - self);
  atomic_store(&interested[self], 1);
#endif
  while (atomic_load(&interested[1 - self]) == 1 && atomic_load(&turn) == 1 - self) {
  }
#ifdef FIXED
  omnium_ignore_end();
  omnium_acquired(interested);
#endif
}

static void leave(int self) {
#ifdef FIXED
  omnium_releasing(interested);
  omnium_ignore_begin();
#endif
  atomic_store(&interested[self], 0);
#ifdef FIXED
  omnium_ignore_end();
#endif
}

static void* work(void* place) {
  const int self = (int)((atomic_int*)place - interested);
  for (int i = 0; i < 2; ++i) {
    enter(self);
    const int others = atomic_fetch_add(&inside, 1);
    assert(others == 0);
    atomic_fetch_sub(&inside, 1);
    leave(self);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &interested[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
