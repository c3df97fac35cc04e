// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program with rights that its user lacks: the user's environment must not decide what it does.
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

constexpr char kProgram[] = R"(
#include <mutex>
#include <thread>
#include "examples/shapes/turns.h"
#include <omnium/atomic.h>
std::mutex mutex;
int value = 0;
int get() { std::lock_guard lock(mutex); return value; }
void put(int it) { std::lock_guard lock(mutex); value = it; }
int main() {
  std::thread slow([] { OMNIUM_ATOMIC("slow"); int it = get(); turn(1); turn(4); put(it + 1); });
  std::thread quick([] { turn(2); put(7); turn(3); });
  slow.join();
  quick.join();
}
)";

class ForeignRights : public testing::Test {
 protected:
  void SetUp() override {
    if (::getuid() != 0) GTEST_SKIP() << "not root";
    ::chmod(scratch_.path("").c_str(), 0777);
    const std::string source = scratch_.file("program.cpp", kProgram);
    const Ran built = run_program({OMNIUM_BINARY_DIR "/omnium", "c++", "-std=c++20", "-g", "-O1",
                                   "-I", OMNIUM_SOURCE_DIR, source, "-o", program_, "-pthread"});
    ASSERT_EQ(built.status, 0) << built.err;
  }

  // Runs it as another user, with variables for the runtime.
  Ran run(const std::string& options) const {
    const std::string watcher = scratch_.file(
        "watcher", fmt::format("#!/bin/sh\nid -u >> {}\n", scratch_.path("was-here")));
    ::chmod(watcher.c_str(), 0755);
    return run_program({"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env",
                        "OMNIUM_WATCHER=" + watcher, "OMNIUM_OPTIONS=" + options, program_});
  }

  bool exists(const std::string& name) const {
    return ::access(scratch_.path(name).c_str(), F_OK) == 0;
  }

  ScratchDirectory scratch_;
  const std::string program_ = scratch_.path("program");
};

TEST_F(ForeignRights, NothingOfTheEnvironmentIsRead) {
  const std::string record = fmt::format("record={}", scratch_.path("written"));
  // Without them, everything is.
  run(record);
  ASSERT_TRUE(exists("written"));
  ASSERT_TRUE(exists("was-here"));
  ::unlink(scratch_.path("written").c_str());
  ::unlink(scratch_.path("was-here").c_str());
  ASSERT_EQ(::chmod(program_.c_str(), 04755), 0);
  const Ran ran = run(record);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err,
            "omnium: warning: this program has rights that its user lacks, so it is not checked\n");
  EXPECT_FALSE(exists("written"));
  EXPECT_FALSE(exists("was-here"));
  EXPECT_EQ(run("nonesuch=1").status, 0) << "options are not even looked at";
}

}  // namespace
}  // namespace omnium::test
