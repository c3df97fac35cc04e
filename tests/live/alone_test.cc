// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that is started without `omnium run` starts its own watcher.
#include <string>

#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

// What main() does; `lose(block)` loses an update in a block of that name.
std::string program_of(const std::string& action) {
  return R"(
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <mutex>
#include <thread>
#include "examples/shapes/turns.h"
#include <omnium/atomic.h>
std::mutex mutex;
int value = 0;
int get() { std::lock_guard lock(mutex); return value; }
void put(int it) { std::lock_guard lock(mutex); value = it; }
template <int kFirst> void lose(const char* block) {
  std::thread slow([=] {
    OMNIUM_ATOMIC(block);
    const int it = get();
    turn(kFirst);
    turn(kFirst + 3);
    put(it + 1);
  });
  std::thread quick([=] { turn(kFirst + 1); put(7); turn(kFirst + 2); });
  slow.join();
  quick.join();
}
int main() {
)" + action +
         "}\n";
}

// `before` is a command of the shell.
Ran run_alone(const std::string& action, const std::string& before = ":") {
  ScratchDirectory scratch;
  const std::string source = scratch.file("program.cpp", program_of(action));
  const std::string program = scratch.path("program");
  const Ran built =
      run_program({OMNIUM_BINARY_DIR "/omnium", "c++", "-std=c++20", "-g", "-O1", "-I",
                   OMNIUM_SOURCE_DIR, source, "-o", program, "-pthread"});
  EXPECT_EQ(built.status, 0) << built.err;
  return shell(before + "; exec " + program);
}

bool tells_of(const Ran& ran, const std::string& block) {
  return ran.err.find("in " + block + " (with") != std::string::npos;
}

// The child ends with its own status, and leaves the watcher to its parent.
TEST(Alone, AForkedProcessDoesNotEndTheWatcher) {
  const Ran ran = run_alone(R"(
  lose<1>("before");
  if (fork() == 0) _exit(5);
  int status = 0;
  wait(&status);
  std::printf("%d\n", WEXITSTATUS(status));
  std::fflush(stdout);
  lose<5>("after");
)");
  EXPECT_EQ(ran.status, 66) << ran.err;
  EXPECT_EQ(ran.out, "5\n");
  EXPECT_TRUE(tells_of(ran, "before")) << ran.err;
  EXPECT_TRUE(tells_of(ran, "after")) << ran.err;
}

// The reader of a pipe sees its end when the program has closed it: the watcher has no copy.
TEST(Alone, TheWatcherHoldsNoFilesOfTheProgram) {
  const Ran ran = run_alone(R"(
  int ends[2];
  if (pipe(ends) != 0) return 1;
  lose<1>("first");
  close(ends[1]);
  char byte;
  std::printf("%zd\n", read(ends[0], &byte, 1));
)");
  EXPECT_EQ(ran.status, 66) << ran.err;
  EXPECT_EQ(ran.out, "0\n");
}

TEST(Alone, WhereFilesMustBeSmallItRunsAllTheSame) {
  const Ran ran = run_alone("lose<1>(\"first\");", "ulimit -f 8");
  EXPECT_EQ(ran.status, 66) << ran.err;
  EXPECT_EQ(ran.err,
            "omnium: warning: findings cannot be reported: the limit of file sizes (ulimit -f) is "
            "low\n");
}

}  // namespace
}  // namespace omnium::test
