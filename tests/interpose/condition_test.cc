// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <semaphore.h>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <pthread.h>

#include "tests/interpose/event_log.h"

namespace omnium::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kWholeWait = "T0 acquire m\nT0 wait m\nT0 resume m\nT0 release m\n";

TEST(Conditions, ATimeoutTakesTheMutexAgain) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  const timespec past{1, 0};
  {
    const EventLog log(&m, "m");
    pthread_mutex_lock(&m);
    EXPECT_EQ(pthread_cond_timedwait(&c, &m, &past), ETIMEDOUT);
    pthread_mutex_unlock(&m);
    EXPECT_EQ(log.text(), kWholeWait);
  }
  const EventLog log(&m, "m");
  pthread_mutex_lock(&m);
  EXPECT_EQ(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &past), ETIMEDOUT);
  pthread_mutex_unlock(&m);
  EXPECT_EQ(log.text(), kWholeWait);
}

TEST(Conditions, FromTheCxxLibrary) {
  std::mutex m;
  std::condition_variable c;
  bool ready = false;
  const EventLog log(&m, "m");
  std::unique_lock lock(m);
  std::thread other([&] {
    const std::lock_guard guard(m);
    ready = true;
    c.notify_one();
  });
  while (!ready) c.wait(lock);
  lock.unlock();
  other.join();
  const std::string text = log.text();
  // The main thread's resume comes after the other's release.
  const auto given = text.find("T0 wait m"), others = text.find("T1 acquire m");
  const auto others_end = text.find("T1 release m"), again = text.find("T0 resume m", others_end);
  EXPECT_LT(given, others) << text;
  EXPECT_LT(others, others_end) << text;
  EXPECT_LT(others_end, again) << text;
  EXPECT_NE(again, std::string::npos) << text;
}

// Who was woken awaits the notification before it has the mutex again.
TEST(Conditions, ANotificationPrecedesTheThreadThatItWakes) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  bool ready = false;
  pthread_cond_signal(&c);  // wakes nobody
  const EventLog log(&c, "c");
  pthread_mutex_lock(&m);
  std::thread other([&] {
    pthread_mutex_lock(&m);
    ready = true;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
  });
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  other.join();
  pthread_cond_signal(&c);  // wakes nobody
  const std::string text = log.text();
  const auto sent = text.find("T1 contribute c #1"), taken = text.find("T0 collect c #1");
  EXPECT_LT(sent, taken) << text;
  EXPECT_NE(taken, std::string::npos) << text;
  EXPECT_EQ(text.find("#2"), std::string::npos) << text;
}

TEST(Conditions, ATimeoutAwaitsNothing) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  const EventLog log(&c, "c");
  const timespec past{1, 0};
  pthread_mutex_lock(&m);
  EXPECT_EQ(pthread_cond_timedwait(&c, &m, &past), ETIMEDOUT);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  EXPECT_EQ(log.text(), "");
}

TEST(Conditions, AWaitWithoutTheMutexIsNoEvent) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t m;
  pthread_mutex_init(&m, &attributes);
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  const EventLog log(&m, "m");
  EXPECT_EQ(pthread_cond_wait(&c, &m), EPERM);
  EXPECT_EQ(log.text(), "");
}

struct Waiting {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  sem_t locked;
};

void unlock(void* mutex) {
  event_log_note("cleanup");
  pthread_mutex_unlock(static_cast<pthread_mutex_t*>(mutex));
}

void* wait_for_ever(void* pointer) {
  auto& w = *static_cast<Waiting*>(pointer);
  pthread_mutex_lock(&w.m);
  sem_post(&w.locked);
  pthread_cleanup_push(unlock, &w.m);
  for (;;) pthread_cond_wait(&w.c, &w.m);
  pthread_cleanup_pop(0);
  return nullptr;
}

TEST(Conditions, CancellationTakesTheMutexBeforeTheCleanup) {
  Waiting w;
  sem_init(&w.locked, 0, 0);
  const EventLog log(&w.m, "m");
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, nullptr, wait_for_ever, &w), 0);
  sem_wait(&w.locked);
  pthread_mutex_lock(&w.m);  // only when the thread waits
  pthread_mutex_unlock(&w.m);
  pthread_cancel(thread);
  void* value = nullptr;
  ASSERT_EQ(pthread_join(thread, &value), 0);
  EXPECT_EQ(value, PTHREAD_CANCELED);
  std::string of_thread;
  const std::string text = log.text();
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) + 1 - at);
    if (line.starts_with("T1")) of_thread += line;
  }
  EXPECT_EQ(of_thread,
            "T1 started T1\nT1 acquire m\nT1 wait m\nT1 resume m\nT1 note cleanup\n"
            "T1 release m\nT1 finished\n");
}

}  // namespace
}  // namespace omnium::test
