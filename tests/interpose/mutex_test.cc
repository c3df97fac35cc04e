// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <ctime>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <pthread.h>

#include "tests/interpose/event_log.h"

namespace omnium::test {
namespace {

struct Mutex {
  explicit Mutex(int type = PTHREAD_MUTEX_DEFAULT, bool robust = false) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    if (robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
  }
  ~Mutex() { pthread_mutex_destroy(&mutex); }
  pthread_mutex_t mutex;
};

timespec in_the_past() { return {1, 0}; }

timespec soon(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  ++now.tv_sec;
  return now;
}

TEST(Mutexes, LockAndUnlock) {
  std::mutex m;
  const EventLog log(&m, "m");
  m.lock();
  EXPECT_EQ(log.text(), "T0 acquire m\n");
  m.unlock();
  EXPECT_EQ(log.text(), "T0 acquire m\nT0 release m\n");
}

TEST(Mutexes, TryTimedAndClocked) {
  Mutex m;
  const EventLog log(&m.mutex, "m");
  const timespec realtime = soon(CLOCK_REALTIME), monotonic = soon(CLOCK_MONOTONIC);
  EXPECT_EQ(pthread_mutex_trylock(&m.mutex), 0);
  pthread_mutex_unlock(&m.mutex);
  EXPECT_EQ(pthread_mutex_timedlock(&m.mutex, &realtime), 0);
  pthread_mutex_unlock(&m.mutex);
  EXPECT_EQ(pthread_mutex_clocklock(&m.mutex, CLOCK_MONOTONIC, &monotonic), 0);
  pthread_mutex_unlock(&m.mutex);
  EXPECT_EQ(log.text(),
            "T0 tried m\nT0 acquire m\nT0 release m\nT0 tried m\nT0 acquire m\nT0 release m\n"
            "T0 tried m\nT0 acquire m\nT0 release m\n");
}

TEST(Mutexes, FailuresAreNoEvents) {
  Mutex m(PTHREAD_MUTEX_ERRORCHECK);
  const EventLog log(&m.mutex, "m");
  const timespec past = in_the_past();
  EXPECT_EQ(pthread_mutex_unlock(&m.mutex), EPERM);
  EXPECT_EQ(log.text(), "");
  pthread_mutex_lock(&m.mutex);
  EXPECT_EQ(pthread_mutex_lock(&m.mutex), EDEADLK);
  EXPECT_EQ(pthread_mutex_trylock(&m.mutex), EBUSY);
  std::thread([&] {
    EXPECT_EQ(pthread_mutex_trylock(&m.mutex), EBUSY);
    EXPECT_EQ(pthread_mutex_timedlock(&m.mutex, &past), ETIMEDOUT);
    EXPECT_EQ(pthread_mutex_clocklock(&m.mutex, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    EXPECT_EQ(pthread_mutex_unlock(&m.mutex), EPERM);
  }).join();
  EXPECT_EQ(log.text().find("release"), std::string::npos) << log.text();
  EXPECT_EQ(log.text().find("acquire"), log.text().rfind("acquire")) << log.text();
  pthread_mutex_unlock(&m.mutex);
}

TEST(Mutexes, RecursiveOnesCountTheOutermost) {
  std::recursive_mutex m;
  const EventLog log(&m, "m");
  m.lock();
  EXPECT_TRUE(m.try_lock());
  m.lock();
  m.unlock();
  m.unlock();
  EXPECT_EQ(log.text(), "T0 acquire m\n");
  m.unlock();
  EXPECT_EQ(log.text(), "T0 acquire m\nT0 release m\n");
}

TEST(Mutexes, TheOwnerOfARobustOneDied) {
  Mutex m(PTHREAD_MUTEX_DEFAULT, true);
  std::thread([&] { pthread_mutex_lock(&m.mutex); }).join();
  const EventLog log(&m.mutex, "m");
  EXPECT_EQ(pthread_mutex_lock(&m.mutex), EOWNERDEAD);
  pthread_mutex_consistent(&m.mutex);
  pthread_mutex_unlock(&m.mutex);
  EXPECT_EQ(log.text(), "T0 acquire m\nT0 release m\n");
  pthread_mutex_lock(&m.mutex);
  std::thread([&] { EXPECT_EQ(pthread_mutex_trylock(&m.mutex), EBUSY); }).join();
  pthread_mutex_unlock(&m.mutex);
}

// Or else nobody could be seen to take them again.
TEST(Mutexes, RobustOnesAreReleasedWithTheirThread) {
  static Mutex once(PTHREAD_MUTEX_DEFAULT, true), twice(PTHREAD_MUTEX_RECURSIVE, true), other;
  const EventLog log(&once.mutex, "once");
  event_log_name(&twice.mutex, "twice");
  event_log_name(&other.mutex, "other");
  const auto body = [](void*) -> void* {
    for (Mutex* mutex : {&once, &twice, &twice, &other}) pthread_mutex_lock(&mutex->mutex);
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, nullptr, body, nullptr), 0);
  pthread_join(thread, nullptr);
  const char* expected = "T1 acquire other\nT1 release twice\nT1 release once\nT1 finished\n";
  EXPECT_NE(log.text().find(expected), std::string::npos) << log.text();
}

TEST(Mutexes, PriorityProtocols) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_t m;
  pthread_mutex_init(&m, &attributes);
  const EventLog log(&m, "m");
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  EXPECT_EQ(log.text(), "T0 acquire m\nT0 release m\n");
  pthread_mutex_destroy(&m);
}

// Used to hand something over: from the unlock by another thread on, it signals.
TEST(Mutexes, UnlockedByAnotherThreadThanItsHolder) {
  Mutex m;
  const EventLog log(&m.mutex, "m");
  pthread_mutex_lock(&m.mutex);
  std::thread([&] { pthread_mutex_unlock(&m.mutex); }).join();
  pthread_mutex_lock(&m.mutex);
  pthread_mutex_unlock(&m.mutex);
  EXPECT_EQ(log.text(),
            "T0 acquire m\nT0 forked T1\nT1 started T1\nT1 contribute m #1\nT1 finished\n"
            "T0 joined T1 elsewhere\nT0 collect m #1\nT0 contribute m #2\n");
}

TEST(Mutexes, ANewOneIsAnother) {
  pthread_mutex_t m;
  const EventLog log(&m, "m");
  pthread_mutex_init(&m, nullptr);
  pthread_mutex_destroy(&m);
  EXPECT_EQ(log.text(), "T0 forget_lock m\nT0 forget_lock m\n");
}

}  // namespace
}  // namespace omnium::test
