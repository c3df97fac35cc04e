// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <semaphore.h>
#include <threads.h>
#include <cerrno>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>

#include "tests/interpose/event_log.h"

namespace omnium::test {
namespace {

void* nothing(void* argument) { return argument; }

TEST(Threads, CreateAndJoin) {
  const EventLog log(reinterpret_cast<const void*>(nothing), "nothing");
  pthread_t thread;
  int x = 0;
  ASSERT_EQ(pthread_create(&thread, nullptr, nothing, &x), 0);
  void* value = nullptr;
  ASSERT_EQ(pthread_join(thread, &value), 0);
  EXPECT_EQ(value, &x);
  EXPECT_EQ(log.text(), "T0 forked T1 nothing\nT1 started T1\nT1 finished\nT0 joined T1\n");
}

TEST(Threads, OfTheCxxLibraryComeFromTheProgram) {
  const EventLog log;
  std::thread([] {}).join();
  EXPECT_TRUE(log.text().starts_with("T0 forked T1\nT1 started T1\n")) << log.text();
}

struct Wide {
  alignas(16) char bytes[16];
};
struct Desk {
  void serve(int) {}
  virtual void close() {}
};
void work() {}
void work_with(int*, int) {}
void work_wide(Wide) {}
void work_for(void (*)()) {}

template <class... Given>
std::string forked(Given... given) {
  const EventLog log;
  const std::pair<const void*, const char*> functions[] = {
      {reinterpret_cast<const void*>(work), "work"},
      {reinterpret_cast<const void*>(work_with), "work_with"},
      {reinterpret_cast<const void*>(work_wide), "work_wide"},
      {reinterpret_cast<const void*>(work_for), "work_for"},
  };
  for (const auto& [function, name] : functions) event_log_name(function, name);
  void (Desk::*serve)(int) = &Desk::serve;
  event_log_name(*reinterpret_cast<void**>(&serve), "serve");
  std::thread(given...).join();
  return log.text().substr(0, log.text().find('\n'));
}

TEST(Threads, OfTheCxxLibraryAreKnownByWhatTheyRun) {
  int x = 0;
  Desk desk;
  EXPECT_EQ(forked(work), "T0 forked T1 work");
  EXPECT_EQ(forked(work_with, &x, 1), "T0 forked T1 work_with");
  EXPECT_EQ(forked(work_for, work), "T0 forked T1 work_for");
  EXPECT_EQ(forked(&Desk::serve, &desk, 2), "T0 forked T1 serve");
  EXPECT_EQ(forked(&Desk::close, &desk), "T0 forked T1") << "which one is known later";
  EXPECT_EQ(forked(work_wide, Wide()), "T0 forked T1") << "not where it usually is";
}

TEST(Threads, TheOtherJoins) {
  timespec later;
  clock_gettime(CLOCK_REALTIME, &later);
  later.tv_sec += 10;
  pthread_t thread;
  const EventLog log;
  pthread_create(&thread, nullptr, nothing, nullptr);
  EXPECT_EQ(pthread_timedjoin_np(thread, nullptr, &later), 0);
  pthread_create(&thread, nullptr, nothing, nullptr);
  EXPECT_EQ(pthread_clockjoin_np(thread, nullptr, CLOCK_REALTIME, &later), 0);
  pthread_create(&thread, nullptr, nothing, nullptr);
  while (pthread_tryjoin_np(thread, nullptr) == EBUSY) std::this_thread::yield();
  for (const char* joined : {"T0 joined T1\n", "T0 joined T2\n", "T0 joined T3\n"}) {
    EXPECT_NE(log.text().find(joined), std::string::npos) << log.text();
  }
}

TEST(Threads, AJoinThatTimesOutIsNone) {
  sem_t started, go;
  sem_init(&started, 0, 0);
  sem_init(&go, 0, 0);
  const timespec past{1, 0};
  std::thread thread([&] {
    sem_post(&started);
    sem_wait(&go);
  });
  sem_wait(&started);
  const EventLog log;
  EXPECT_EQ(pthread_timedjoin_np(thread.native_handle(), nullptr, &past), ETIMEDOUT);
  EXPECT_EQ(log.text(), "");
  sem_post(&go);
  thread.join();
}

void detach_one(bool by_attribute) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (by_attribute) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  pthread_create(&thread, &attributes, nothing, nullptr);
  if (!by_attribute) pthread_detach(thread);
  pthread_attr_destroy(&attributes);
}

void wait_for(const EventLog& log, const char* line) {
  while (log.text().find(line) == std::string::npos) std::this_thread::yield();
}

TEST(Threads, Detached) {
  for (const bool by_attribute : {false, true}) {
    const EventLog log;
    detach_one(by_attribute);
    wait_for(log, "T1 finished\n");
    EXPECT_NE(log.text().find("T0 detached T1\n"), std::string::npos) << log.text();
    EXPECT_EQ(log.text().find("joined"), std::string::npos) << log.text();
  }
}

TEST(Threads, CannotBeCreated) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{1} << 46);
  pthread_t thread;
  const EventLog log;
  EXPECT_NE(pthread_create(&thread, &attributes, nothing, nullptr), 0);
  EXPECT_EQ(log.text(), "T0 forked T1\nT0 not_created T1\n");
}

pthread_key_t key;

void in_destructor(void*) { event_log_note("destructor of a key"); }

struct InThread {
  ~InThread() { event_log_note("destructor of a thread_local"); }
  bool used = false;
};
thread_local InThread in_thread;

TEST(Threads, FinishAfterDestructors) {
  pthread_key_create(&key, in_destructor);
  const EventLog log;
  std::thread([] {
    in_thread.used = true;
    pthread_setspecific(key, &key);
  }).join();
  const std::string text = log.text();
  const auto finished = text.find("T1 finished");
  EXPECT_LT(text.find("T1 note destructor of a thread_local"), finished) << text;
  EXPECT_LT(text.find("T1 note destructor of a key"), finished) << text;
  pthread_key_delete(key);
}

TEST(Threads, ExitAndNames) {
  const EventLog log;
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        pthread_setname_np(pthread_self(), "worker");
        pthread_exit(nullptr);
      },
      nullptr);
  pthread_join(thread, nullptr);
  pthread_setname_np(pthread_self(), "main");
  EXPECT_NE(log.text().find("T1 named T1 worker\nT1 finished\n"), std::string::npos) << log.text();
  EXPECT_TRUE(log.text().ends_with("T0 named T0 main\n")) << log.text();
}

TEST(Threads, ManyOneAfterTheOtherAndAtOnce) {
  for (int i = 0; i < 1000; ++i) {
    if (i % 100 == 0) event_log_clear();
    std::thread([] {}).join();
  }
  const EventLog log;
  std::vector<std::thread> threads;
  for (int i = 0; i < 300; ++i) threads.emplace_back([] {});
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> joined;
  const std::string text = log.text();
  for (std::size_t at = 0; (at = text.find("joined ", at)) != std::string::npos; ++at) {
    joined.insert(text.substr(at, text.find_first_of(" \n", at + 7) - at));
  }
  EXPECT_EQ(joined.size(), 300u);
}

TEST(Threads, OfC11) {
  const EventLog log;
  thrd_t thread;
  int value = 0;
  ASSERT_EQ(thrd_create(
                &thread, [](void* argument) { return *static_cast<int*>(argument) + 1; }, &value),
            thrd_success);
  ASSERT_EQ(thrd_join(thread, &value), thrd_success);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(log.text(), "T0 forked T1\nT1 started T1\nT1 finished\nT0 joined T1\n");
}

void* spin(void* ready) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  __atomic_store_n(static_cast<bool*>(ready), true, __ATOMIC_RELEASE);
  for (;;) asm volatile("");
}

TEST(Threads, CancelledAtOnce) {
  const EventLog log;
  bool ready = false;
  pthread_t thread;
  pthread_create(&thread, nullptr, spin, &ready);
  while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) std::this_thread::yield();
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  EXPECT_EQ(log.text(), "T0 forked T1\nT1 started T1\nT1 finished\nT0 joined T1\n");
}

}  // namespace
}  // namespace omnium::test
