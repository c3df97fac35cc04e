// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What runs once: pthread_once, std::call_once, C11, static variables.
#include <cxxabi.h>
#include <threads.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include "tests/interpose/event_log.h"

namespace omnium::test {
namespace {

pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;

TEST(Once, TheRunPrecedesEveryReturn) {
  outer = inner = PTHREAD_ONCE_INIT;
  const EventLog log(&outer, "outer");
  event_log_name(&inner, "inner");
  const auto run_inner = [] { event_log_note("inner"); };
  static const auto call_inner = +run_inner;
  pthread_once(&outer, [] {
    pthread_once(&inner, call_inner);
    event_log_note("outer");
  });
  pthread_once(&outer, [] { event_log_note("again"); });
  EXPECT_EQ(
      log.text(),
      "T0 note inner\nT0 write anew inner[4]\nT0 contribute inner #1\nT0 follow inner #1\n"
      "T0 atomic read inner[4]\n"
      "T0 note outer\nT0 write anew outer[4]\nT0 contribute outer #2\nT0 follow outer #2\n"
      "T0 atomic read outer[4]\nT0 follow outer #2\nT0 atomic read outer[4]\n");
}

TEST(Once, AnExceptionIsNoRun) {
  std::once_flag flag;
  const EventLog log(&flag, "flag");
  EXPECT_THROW(std::call_once(flag, [] { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(log.text().find("write"), std::string::npos) << log.text();
  std::call_once(flag, [] { event_log_note("run"); });
  EXPECT_TRUE(log.text().ends_with(
      "T0 note run\nT0 write anew flag[4]\nT0 contribute flag #1\nT0 follow flag #1\n"
      "T0 atomic read flag[4]\n"))
      << log.text();
}

std::atomic<bool> slow_run_began;
void run_slowly() {
  slow_run_began = true;
  usleep(50'000);
}

// The main thread comes while the other runs it.
TEST(Once, WhoWaitsForTheRunAwaitsIt) {
  static pthread_once_t flag = PTHREAD_ONCE_INIT;
  const EventLog log(&flag, "flag");
  std::thread other([] { pthread_once(&flag, run_slowly); });
  while (!slow_run_began) std::this_thread::yield();
  pthread_once(&flag, run_slowly);
  other.join();
  const std::string text = log.text();
  EXPECT_LT(text.find("T1 contribute flag #1"), text.find("T0 collect flag #1")) << text;
  EXPECT_LT(text.find("T0 collect flag #1"), text.find("T0 atomic read flag[4]")) << text;
  pthread_once(&flag, run_slowly);
  EXPECT_EQ(log.text(), text + "T0 follow flag #1\nT0 atomic read flag[4]\n");
}

TEST(Once, OfC11) {
  once_flag flag = ONCE_FLAG_INIT;
  const EventLog log(&flag, "flag");
  call_once(&flag, [] { event_log_note("run"); });
  call_once(&flag, [] { event_log_note("run"); });
  EXPECT_EQ(log.text(),
            "T0 note run\nT0 write anew flag[4]\nT0 contribute flag #1\nT0 follow flag #1\n"
            "T0 atomic read flag[4]\nT0 follow flag #1\nT0 atomic read flag[4]\n");
}

TEST(Once, GuardsOfStaticVariables) {
  abi::__guard guard = 0;
  const EventLog log(&guard, "guard");
  EXPECT_EQ(abi::__cxa_guard_acquire(&guard), 1);
  abi::__cxa_guard_abort(&guard);
  EXPECT_EQ(log.text(), "");
  EXPECT_EQ(abi::__cxa_guard_acquire(&guard), 1);
  abi::__cxa_guard_release(&guard);
  EXPECT_EQ(abi::__cxa_guard_acquire(&guard), 0);
  EXPECT_EQ(log.text(),
            "T0 write anew guard[1]\nT0 contribute guard #1\nT0 collect guard #1\nT0 atomic read "
            "guard[1]\n");
}

}  // namespace
}  // namespace omnium::test
