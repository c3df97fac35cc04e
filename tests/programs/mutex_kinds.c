// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// All kinds of mutexes, rwlocks and spinlocks of pthreads, and every way to take them. Inner
// operations of a recursive mutex do not end a critical section.
//
// expect: nothing
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include <omnium/atomic.h>

enum { kThreads = 3, kRounds = 50 };

static pthread_mutex_t recursive, checking, robust, timed;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static sem_t semaphore;
static int counts[7];

static struct timespec later(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_sec += 60;
  return time;
}

static void mutexes(void) {
  omnium_begin("recursive");
  pthread_mutex_lock(&recursive);
  counts[0] += 1;
  pthread_mutex_lock(&recursive);
  pthread_mutex_unlock(&recursive);
  counts[0] += 1;
  pthread_mutex_unlock(&recursive);
  omnium_end();

  omnium_begin("checking");
  pthread_mutex_lock(&checking);
  if (pthread_mutex_lock(&checking) == EDEADLK) counts[1] += 1;
  counts[1] += 1;
  pthread_mutex_unlock(&checking);
  omnium_end();

  omnium_begin("timed");
  struct timespec time = later();
  if (pthread_mutex_timedlock(&timed, &time) == 0) {
    counts[2] += 1;
    pthread_mutex_unlock(&timed);
  }
  omnium_end();

  omnium_begin("robust");
  if (pthread_mutex_lock(&robust) == EOWNERDEAD) pthread_mutex_consistent(&robust);
  counts[3] += 1;
  pthread_mutex_unlock(&robust);
  omnium_end();
}

static void others(void) {
  omnium_begin("write");
  pthread_rwlock_wrlock(&rwlock);
  counts[4] += 1;
  pthread_rwlock_unlock(&rwlock);
  omnium_end();

  omnium_begin("read");
  struct timespec time = later();
  if (pthread_rwlock_tryrdlock(&rwlock) == 0 || pthread_rwlock_timedrdlock(&rwlock, &time) == 0) {
    if (counts[4] == 0) counts[5] = -1000;
    pthread_rwlock_unlock(&rwlock);
  }
  omnium_end();

  omnium_begin("spin");
  pthread_spin_lock(&spinlock);
  counts[5] += 1;
  pthread_spin_unlock(&spinlock);
  omnium_end();

  omnium_begin("semaphore");
  sem_wait(&semaphore);
  counts[6] += 1;
  sem_post(&semaphore);
  omnium_end();
}

static void* work(void* unused) {
  for (int i = 0; i < kRounds; ++i) {
    mutexes();
    others();
  }
  return unused;
}

static void* die_with_lock(void* unused) {
  pthread_mutex_lock(&robust);
  return unused;
}

static void initialize(pthread_mutex_t* mutex, int type, int robustness) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robustness);
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

int main(void) {
  initialize(&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  initialize(&checking, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  initialize(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  initialize(&timed, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 1);
  pthread_t threads[kThreads];
  pthread_create(&threads[0], NULL, die_with_lock, NULL);
  pthread_join(threads[0], NULL);
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  const int all = kThreads * kRounds;
  const int twice = counts[0] == 2 * all && counts[1] == 2 * all;
  const int once = counts[2] == all && counts[3] == all && counts[4] == all;
  return twice && once && counts[5] == all && counts[6] == all ? 0 : 1;
}
