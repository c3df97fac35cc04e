// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Barriers and semaphores: who precedes whom, by the meetings' numbers.
#include <fcntl.h>
#include <semaphore.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>

#include "tests/interpose/event_log.h"

namespace omnium::test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(Barriers, ArrivalsOfARoundPrecedeItsDepartures) {
  constexpr int kThreads = 4, kRounds = 50;
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, kThreads);
  const EventLog log(&barrier, "b");
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) pthread_barrier_wait(&barrier);
    });
  }
  for (std::thread& thread : threads) thread.join();
  pthread_barrier_destroy(&barrier);
  const std::string text = log.text();
  for (int round = 1; round <= kRounds; ++round) {
    const std::string meeting = " b #" + std::to_string(round) + "\n";
    EXPECT_EQ(count(text, "contribute" + meeting), kThreads) << round;
    EXPECT_EQ(count(text, "collect" + meeting), kThreads) << round;
    EXPECT_LT(text.rfind("contribute" + meeting), text.find("collect" + meeting)) << round;
  }
}

TEST(Semaphores, ATokenThatItsTakerGivesBackIsALock) {
  sem_t s;
  sem_init(&s, 0, 1);
  const EventLog log(&s, "s");
  sem_wait(&s);
  sem_post(&s);
  EXPECT_EQ(sem_trywait(&s), 0);
  EXPECT_EQ(sem_trywait(&s), -1);
  sem_post(&s);
  sem_destroy(&s);
  EXPECT_EQ(log.text(),
            "T0 acquire_token s\nT0 release_token s\nT0 acquire_token s\nT0 release_token s\n");
}

TEST(Semaphores, ThePostPrecedesTheWaitThatTakesItsToken) {
  sem_t s;
  sem_init(&s, 0, 0);
  const EventLog log(&s, "s");
  sem_post(&s);
  sem_post(&s);
  EXPECT_EQ(sem_trywait(&s), 0);
  sem_post(&s);
  sem_wait(&s);
  const timespec past{1, 0};
  EXPECT_EQ(sem_timedwait(&s, &past), 0);
  EXPECT_EQ(sem_trywait(&s), -1);
  EXPECT_EQ(sem_timedwait(&s, &past), -1);
  EXPECT_EQ(sem_clockwait(&s, CLOCK_MONOTONIC, &past), -1);
  sem_destroy(&s);
  EXPECT_EQ(log.text(),
            "T0 contribute s #1\nT0 contribute s #2\nT0 collect s #1\nT0 contribute s #3\n"
            "T0 collect s #2\nT0 collect s #3\n");
}

// The other thread holds no token, so its post is a signal. The lock stays with its taker.
TEST(Semaphores, APostByAnotherThreadThanTheTakerIsASignal) {
  sem_t s;
  sem_init(&s, 0, 1);
  const EventLog log(&s, "s");
  sem_wait(&s);
  std::thread([&] { sem_post(&s); }).join();
  sem_wait(&s);
  sem_post(&s);
  sem_destroy(&s);
  EXPECT_EQ(log.text(),
            "T0 acquire_token s\nT0 forked T1\nT1 started T1\nT1 contribute s #1\nT1 finished\n"
            "T0 joined T1 elsewhere\nT0 collect s #1\nT0 release_token s\n");
}

TEST(Semaphores, TokensBeyondTheFirstEightAreNoEvents) {
  sem_t s;
  sem_init(&s, 0, 9);
  const EventLog log(reinterpret_cast<const char*>(&s) + 7 * 4, "the eighth");
  for (int i = 0; i < 9; ++i) sem_wait(&s);
  for (int i = 0; i < 9; ++i) sem_post(&s);
  sem_destroy(&s);
  EXPECT_EQ(log.text(), "T0 acquire_token the eighth\nT0 release_token the eighth\n");
}

TEST(Semaphores, FarAheadOldTokensLoseTheirPost) {
  sem_t s;
  sem_init(&s, 0, 0);
  const EventLog log(&s, "s");
  for (int i = 0; i < 100; ++i) sem_post(&s);
  for (int i = 0; i < 100; ++i) sem_wait(&s);
  sem_destroy(&s);
  const std::string text = log.text();
  EXPECT_EQ(count(text, "collect s"), 64u);
  EXPECT_LT(text.find("collect s #37\n"), text.find("collect s #100\n"));
}

TEST(Semaphores, PostThatFails) {
  sem_t s;
  sem_init(&s, 0, SEM_VALUE_MAX);
  const EventLog log(&s, "s");
  EXPECT_EQ(sem_post(&s), -1);
  sem_wait(&s);
  sem_post(&s);
  sem_destroy(&s);
  EXPECT_EQ(count(log.text(), "collect"), 0u);
}

TEST(Semaphores, Named) {
  const std::string name = "/omnium-test-" + std::to_string(getpid());
  sem_t* s = sem_open(name.c_str(), O_CREAT | O_EXCL, 0600, 1);
  ASSERT_NE(s, SEM_FAILED);
  sem_t* same = sem_open(name.c_str(), 0);
  EXPECT_EQ(s, same);
  const EventLog log(s, "s");
  sem_wait(s);
  std::thread([&] { sem_post(s); }).join();
  sem_close(same);
  sem_wait(s);
  sem_close(s);
  sem_unlink(name.c_str());
  const std::string text = log.text();
  EXPECT_LT(text.find("T1 contribute s #1\n"), text.find("T0 collect s #1\n")) << text;
  EXPECT_EQ(count(text, "collect"), 1u) << text;
}

TEST(Semaphores, InFreedMemoryAreForgotten) {
  auto* s = static_cast<sem_t*>(std::malloc(sizeof(sem_t)));
  sem_init(s, 0, 0);
  sem_post(s);  // its token must not reach the next semaphore here
  std::free(s);
  auto* next = static_cast<sem_t*>(std::malloc(sizeof(sem_t)));
  ASSERT_EQ(s, next);
  *next = {};  // as in zeroed memory: a valid semaphore of value 0
  const EventLog log(next, "s");
  sem_post(next);
  sem_wait(next);
  EXPECT_EQ(log.text(), "T0 contribute s #1\nT0 collect s #1\n");
  std::free(next);
}

}  // namespace
}  // namespace omnium::test
