// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Handlers of signals are called by ours, which nobody notices.
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include <gtest/gtest.h>

namespace omnium::test {
namespace {

int calls = 0;
int value_seen = 0;

void simple(int) { ++calls; }
void detailed(int, siginfo_t* info, void* context) {
  ++calls;
  value_seen = context == nullptr ? 0 : info->si_value.sival_int;
}

class Signals : public testing::Test {
 protected:
  void SetUp() override { calls = value_seen = 0; }
  void TearDown() override { signal(SIGUSR1, SIG_DFL); }
};

struct sigaction current(int number) {
  struct sigaction action = {};
  EXPECT_EQ(sigaction(number, nullptr, &action), 0);
  return action;
}

TEST_F(Signals, WhoAsksForAHandlerGetsTheProgramsOwn) {
  EXPECT_EQ(signal(SIGUSR1, simple), SIG_DFL);
  EXPECT_EQ(current(SIGUSR1).sa_handler, simple);
  EXPECT_EQ(current(SIGUSR1).sa_flags & (SA_SIGINFO | SA_RESTART), SA_RESTART);
  struct sigaction action = {}, old = {};
  action.sa_sigaction = detailed;
  action.sa_flags = SA_SIGINFO;
  sigaddset(&action.sa_mask, SIGUSR2);
  EXPECT_EQ(sigaction(SIGUSR1, &action, &old), 0);
  EXPECT_EQ(old.sa_handler, simple);
  EXPECT_EQ(current(SIGUSR1).sa_sigaction, detailed);
  const struct sigaction now = current(SIGUSR1);
  EXPECT_EQ(sigismember(&now.sa_mask, SIGUSR2), 1);
  EXPECT_EQ(signal(SIGUSR1, SIG_IGN), now.sa_handler);
  EXPECT_EQ(signal(SIGUSR1, SIG_DFL), SIG_IGN);
}

TEST_F(Signals, HandlersGetWhatTheSenderSent) {
  struct sigaction action = {};
  action.sa_sigaction = detailed;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  sigval value{};
  value.sival_int = 17;
  pthread_sigqueue(pthread_self(), SIGUSR1, value);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(value_seen, 17);
}

TEST_F(Signals, AHandlerForOneSignalIsGoneAfterwards) {
  struct sigaction action = {};
  action.sa_handler = simple;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGUSR1, &action, nullptr);
  EXPECT_EQ(current(SIGUSR1).sa_flags & static_cast<int>(SA_RESETHAND),
            static_cast<int>(SA_RESETHAND));
  raise(SIGUSR1);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(current(SIGUSR1).sa_handler, SIG_DFL);
}

TEST_F(Signals, WrongSignalsAreRefused) {
  struct sigaction action = {};
  action.sa_handler = simple;
  EXPECT_EQ(sigaction(0, &action, nullptr), -1);
  EXPECT_EQ(sigaction(65, &action, nullptr), -1);
  EXPECT_EQ(sigaction(SIGKILL, &action, nullptr), -1);
  EXPECT_EQ(signal(SIGKILL, simple), SIG_ERR);
  EXPECT_EQ(signal(1000, simple), SIG_ERR);
}

TEST_F(Signals, SigsetHoldsAndReleases) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  EXPECT_EQ(sigset(SIGUSR1, simple), SIG_DFL);
  EXPECT_EQ(sigset(SIGUSR1, SIG_HOLD), simple);
  raise(SIGUSR1);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(sigset(SIGUSR1, simple), SIG_HOLD);
#pragma GCC diagnostic pop
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace omnium::test
