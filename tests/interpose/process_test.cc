// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How processes multiply and end. A child's log comes back through a pipe when it ends.
#include <sys/wait.h>
#include <unistd.h>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tests/interpose/event_log.h"

namespace omnium::test {
namespace {

struct Ended {
  std::string log;
  int status;
};

Ended in_child(const std::function<void()>& action) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  event_log_clear();
  event_log_send_at_end(ends[1]);
  const pid_t child = fork();
  if (child == 0) {
    action();
    _exit(9);
  }
  close(ends[1]);
  Ended ended{"", 0};
  char bytes[4096];
  for (ssize_t got; (got = read(ends[0], bytes, sizeof(bytes))) > 0;) {
    ended.log.append(bytes, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  event_log_send_at_end(-1);
  return ended;
}

const std::string kForked = "T0 before_fork\nT0 after_fork_in_child\n";
const std::string kForkedAndEnded = kForked + "T0 process_ends\n";

TEST(Processes, ForkInTheParent) {
  const EventLog log;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(log.text(), "T0 before_fork\nT0 after_fork_in_parent\n");
}

TEST(Processes, EndByExit) {
  for (const auto& action :
       {std::function<void()>([] { _exit(3); }), {[] { _Exit(3); }}, {[] { quick_exit(3); }}, {[] {
          std::exit(3);
        }}}) {
    const Ended ended = in_child(action);
    EXPECT_EQ(ended.log, kForkedAndEnded);
    EXPECT_EQ(WEXITSTATUS(ended.status), 3);
  }
}

TEST(Processes, EndByAbort) {
  const Ended ended = in_child([] {
    signal(SIGABRT, SIG_DFL);
    std::abort();
  });
  EXPECT_EQ(ended.log, kForkedAndEnded);
  EXPECT_EQ(WTERMSIG(ended.status), SIGABRT);
}

TEST(Processes, EndByAnotherProgram) {
  char shell[] = "/bin/sh", option[] = "-c", command[] = "exit $STATUS", variable[] = "STATUS=5";
  char* const arguments[] = {shell, option, command, nullptr};
  char* const environment[] = {variable, nullptr};
  const std::function<void()> ways[] = {
      [&] { execve(shell, arguments, environment); },
      [&] { execvpe("sh", arguments, environment); },
      [&] { execle(shell, shell, option, command, nullptr, environment); },
      [&] {
        putenv(variable);
        execv(shell, arguments);
      },
      [&] {
        putenv(variable);
        execvp("sh", arguments);
      },
      [&] {
        putenv(variable);
        execl(shell, shell, option, command, nullptr);
      },
      [&] {
        putenv(variable);
        execlp("sh", shell, option, command, nullptr);
      }};
  for (const auto& way : ways) {
    const Ended ended = in_child(way);
    EXPECT_EQ(ended.log, kForkedAndEnded);
    EXPECT_EQ(WEXITSTATUS(ended.status), 5);
  }
}

TEST(Processes, AChildOfVforkEndsNothing) {
  const EventLog log;
  const pid_t child = vfork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(log.text(), "");
}

// Frames are named by what a function called from them sees.
[[gnu::noinline]] const void* frame_seen() { return __builtin_frame_address(0); }

std::jmp_buf here;
[[gnu::noinline]] void jump_back() { std::longjmp(here, 1); }
[[gnu::noinline]] void throw_back() { throw std::runtime_error("back"); }

[[gnu::noinline]] void deeper(void (*back)()) {
  char room[64];
  asm volatile("" : : "r"(room) : "memory");
  back();
  event_log_note("returned");
}

TEST(Jumps, LongjmpLeavesFrames) {
  const EventLog log(frame_seen(), "here");
  if (setjmp(here) == 0) deeper(jump_back);
  EXPECT_EQ(log.text(), "T0 unwind_to here\n");
}

TEST(Jumps, CatchingLeavesFrames) {
  const EventLog log(frame_seen(), "here");
  try {
    deeper(throw_back);
  } catch (const std::runtime_error&) {
    event_log_note("caught");
  }
  EXPECT_EQ(log.text(), "T0 unwind_to here\nT0 note caught\n");
}

}  // namespace
}  // namespace omnium::test
