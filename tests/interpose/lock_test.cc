// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Reader-writer locks, spin locks, the mutexes and conditions of C11.
#include <threads.h>
#include <cerrno>
#include <shared_mutex>
#include <thread>

#include <gtest/gtest.h>
#include <pthread.h>

#include "tests/interpose/event_log.h"

namespace omnium::test {
namespace {

TEST(ReaderWriterLocks, SharedMutex) {
  std::shared_mutex m;
  const EventLog log(&m, "m");
  m.lock_shared();
  m.unlock_shared();
  m.lock();
  m.unlock();
  EXPECT_TRUE(m.try_lock_shared());
  EXPECT_FALSE(m.try_lock());
  m.unlock_shared();
  EXPECT_TRUE(m.try_lock());
  m.unlock();
  EXPECT_EQ(log.text(),
            "T0 read_acquire m\nT0 read_release m\nT0 write_acquire m\nT0 write_release m\n"
            "T0 tried m\nT0 read_acquire m\nT0 busy m\nT0 read_release m\nT0 tried m\n"
            "T0 write_acquire m\nT0 write_release m\n");
}

TEST(ReaderWriterLocks, TimedAndClocked) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  const timespec past{1, 0};
  const EventLog log(&lock, "lock");
  EXPECT_EQ(pthread_rwlock_timedrdlock(&lock, &past), 0);
  EXPECT_EQ(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past), 0);
  EXPECT_EQ(pthread_rwlock_timedwrlock(&lock, &past), ETIMEDOUT);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  EXPECT_EQ(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past), 0);
  EXPECT_EQ(pthread_rwlock_rdlock(&lock), EDEADLK);
  pthread_rwlock_unlock(&lock);
  EXPECT_EQ(pthread_rwlock_timedwrlock(&lock, &past), 0);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_destroy(&lock);
  EXPECT_EQ(log.text(),
            "T0 tried lock\nT0 read_acquire lock\nT0 tried lock\nT0 read_acquire lock\n"
            "T0 busy lock\nT0 read_release lock\nT0 read_release lock\n"
            "T0 tried lock\nT0 write_acquire lock\nT0 write_release lock\n"
            "T0 tried lock\nT0 write_acquire lock\nT0 write_release lock\n"
            "T0 forget_lock lock\n");
}

TEST(SpinLocks, LockTryUnlock) {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  const EventLog log(const_cast<const int*>(&lock), "lock");
  pthread_spin_lock(&lock);
  EXPECT_EQ(pthread_spin_trylock(&lock), EBUSY);
  pthread_spin_unlock(&lock);
  EXPECT_EQ(pthread_spin_trylock(&lock), 0);
  pthread_spin_unlock(&lock);
  pthread_spin_destroy(&lock);
  EXPECT_EQ(log.text(),
            "T0 acquire lock\nT0 busy lock\nT0 release lock\n"
            "T0 tried lock\nT0 acquire lock\nT0 release lock\n"
            "T0 forget_lock lock\n");
}

TEST(C11, MutexesAndConditions) {
  mtx_t m;
  mtx_init(&m, mtx_timed | mtx_recursive);
  cnd_t c;
  cnd_init(&c);
  const timespec past{1, 0};
  const EventLog log(&m, "m");
  EXPECT_EQ(mtx_lock(&m), thrd_success);
  EXPECT_EQ(mtx_trylock(&m), thrd_success);
  mtx_unlock(&m);
  std::thread([&] { EXPECT_EQ(mtx_timedlock(&m, &past), thrd_timedout); }).join();
  event_log_clear();
  event_log_name(&m, "m");
  EXPECT_EQ(cnd_timedwait(&c, &m, &past), thrd_timedout);
  mtx_unlock(&m);
  EXPECT_EQ(mtx_trylock(&m), thrd_success);
  mtx_unlock(&m);
  mtx_destroy(&m);
  EXPECT_EQ(log.text(),
            "T0 wait m\nT0 resume m\nT0 release m\nT0 tried m\nT0 acquire m\nT0 release m\n"
            "T0 forget_lock m\n");
}

}  // namespace
}  // namespace omnium::test
