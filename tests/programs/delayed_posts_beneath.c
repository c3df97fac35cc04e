// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Between Omnium and the C library, for delayed_posts.cpp: a thread that asks for it is delayed
// before the real function does anything, as if it were interrupted there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>

__thread void (*delay)(void);

static void be_delayed(void) {
  void (*const how)(void) = delay;
  delay = NULL;
  if (how != NULL) how();
}

int sem_post(sem_t* semaphore) {
  be_delayed();
  return ((int (*)(sem_t*))dlsym(RTLD_NEXT, "sem_post"))(semaphore);
}

int pthread_cond_signal(pthread_cond_t* condition) {
  be_delayed();
  // There is an older function of the same name.
  void* const real = dlvsym(RTLD_NEXT, "pthread_cond_signal", "GLIBC_2.3.2");
  return ((int (*)(pthread_cond_t*))real)(condition);
}

int pthread_barrier_wait(pthread_barrier_t* barrier) {
  be_delayed();
  return ((int (*)(pthread_barrier_t*))dlsym(RTLD_NEXT, "pthread_barrier_wait"))(barrier);
}
