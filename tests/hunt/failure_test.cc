// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A failed run as a finding: its kind, its place, and an id that is the same in every run.
#include "hunt/failure.h"

#include <gtest/gtest.h>

namespace omnium::test {
namespace {

using hunt::FailedRun;

class Failures : public testing::Test {
 protected:
  report::Cause cause(const FailedRun& run) { return cause_of(run, names_); }
  std::string id(const FailedRun& run) { return cause(run).id; }

  support::Interner names_;
  FailedRun freed_{FailedRun::Kind::kUseAfterFree,
                   "/home/ann/bank",
                   "use after free: read at bank.cpp:9 in use, freed at bank.cpp:4 in drop",
                   "bank.cpp:9 in use",
                   "bank.cpp:4 in drop",
                   {},
                   "first\nlast\n",
                   {}};
};

TEST_F(Failures, FreedMemoryHasTwoPlaces) {
  const report::Cause it = cause(freed_);
  EXPECT_EQ(it.pattern, "use after free");
  EXPECT_EQ(it.event_location, "bank.cpp:9");
  EXPECT_EQ(it.block.label, "use");
  ASSERT_TRUE(is_failure(it));
  EXPECT_EQ(it.failure->what, freed_.what);
  EXPECT_EQ(it.failure->freed, "bank.cpp:4");
  EXPECT_EQ(it.failure->output, (std::vector<std::string>{"first", "last"}));
}

TEST_F(Failures, IdsDependOnFunctionsAlone) {
  const std::string before = id(freed_);
  EXPECT_TRUE(before.starts_with("fl-") && before.size() == 11) << before;
  FailedRun moved = freed_;
  moved.program = "/tmp/bank";
  moved.what = "use after free: read at bank.cpp:19 in use, freed at bank.cpp:14 in drop";
  moved.place = "bank.cpp:19 in use";
  moved.freed = "bank.cpp:14 in drop";
  moved.output = "something else\n";
  EXPECT_EQ(id(moved), before);
  moved.freed = "bank.cpp:14 in another";
  EXPECT_NE(id(moved), before);
  moved = freed_;
  moved.kind = FailedRun::Kind::kDoubleFree;
  EXPECT_NE(id(moved), before);
}

TEST_F(Failures, HangsAreTheSameHoweverLongOneWaited) {
  const FailedRun::Kind hang = FailedRun::Kind::kHang;
  EXPECT_EQ(id({hang, "a/bank", "did not end within 6 s", "", "", {}, "", {}}),
            id({hang, "b/bank", "did not end within 9 s", "", "", {}, "", {}}));
  EXPECT_NE(id({hang, "bank", "did not end within 6 s", "", "", {}, "", {}}),
            id({hang, "shop", "did not end within 6 s", "", "", {}, "", {}}));
}

TEST_F(Failures, SignalsAndStatusesAreToldApart) {
  const auto of = [&](FailedRun::Kind kind, const char* what) {
    return id({kind, "bank", what, "", "", {}, "", {}});
  };
  EXPECT_NE(of(FailedRun::Kind::kCrash, "killed by SIGSEGV"),
            of(FailedRun::Kind::kCrash, "killed by SIGABRT"));
  EXPECT_NE(of(FailedRun::Kind::kExitStatus, "exit status 3"),
            of(FailedRun::Kind::kExitStatus, "exit status 4"));
}

TEST_F(Failures, DeadlocksByOtherLocksAreOthers) {
  using Waits = std::vector<report::LockWait>;
  const auto of = [&](const Waits& waits) {
    return id({FailedRun::Kind::kDeadlock, "bank", "deadlock", "", "", waits, "", {}});
  };
  const std::string two = of({{"thread 1", "left", "thread 2"}, {"thread 2", "right", "thread 1"}});
  EXPECT_EQ(of({{"thread 4", "right", "thread 3"}, {"thread 3", "left", "thread 4"}}), two);
  EXPECT_NE(of({{"thread 1", "left", "thread 2"}, {"thread 2", "far", "thread 1"}}), two);
  // Whoever waits for them may be there or not.
  EXPECT_EQ(of({{"thread 1", "left", "thread 2"},
                {"thread 2", "right", "thread 1"},
                {"the main thread", "log", "thread 1"}}),
            two);
  // At a round table it may be any of the forks.
  EXPECT_EQ(of({{"thread 1", "forks[2]", "thread 2"}, {"thread 2", "forks[1]", "thread 1"}}),
            of({{"thread 5", "forks[10]", "thread 6"}, {"thread 6", "forks[9]", "thread 5"}}));
  // Without a circle of locks there are other reasons to wait, which nobody can tell.
  EXPECT_EQ(of({{"thread 1", "left", "thread 2"}}), of({}));
  EXPECT_NE(of({}), two);
}

TEST_F(Failures, CrashesAtOtherPlacesAreOthers) {
  FailedRun run{
      FailedRun::Kind::kCrash, "bank", "killed by SIGSEGV", "bank.cpp:9 in use", "", {}, "", {}};
  const report::Cause it = cause(run);
  EXPECT_EQ(it.event_location, "bank.cpp:9");
  EXPECT_EQ(it.block.label, "use");
  EXPECT_EQ(it.failure->what, "killed by SIGSEGV");
  EXPECT_EQ(in_words(run), "killed by SIGSEGV at bank.cpp:9 in use");
  EXPECT_EQ(it.id, hunt::id_of(run));
  EXPECT_TRUE(hunt::is_failure_id(it.id));
  FailedRun other = run;
  other.place = "bank.cpp:19 in use";
  EXPECT_EQ(id(other), it.id) << "lines were added above";
  other.place = "bank.cpp:9 in drop";
  EXPECT_NE(id(other), it.id);
  other.place = "";
  EXPECT_NE(id(other), it.id);
  EXPECT_EQ(in_words(other), "killed by SIGSEGV");
}

TEST_F(Failures, AssertionsAreNamed) {
  FailedRun run{FailedRun::Kind::kCrash, "bank", "killed by SIGABRT", "", "", {}, "", {}};
  const std::string unknown = id(run);
  run.assertion = {"src/bank.cpp:44", "void Account::put(int)", "x == 1"};
  const report::Cause it = cause(run);
  EXPECT_EQ(it.pattern, hunt::kFailedAssertion);
  EXPECT_EQ(it.event_location, "src/bank.cpp:44");
  EXPECT_EQ(it.block.label, "void Account::put(int)");
  EXPECT_EQ(it.failure->what,
            "assertion failed: x == 1 (src/bank.cpp:44 in void Account::put(int))");
  EXPECT_NE(it.id, unknown);
  EXPECT_EQ(in_words(run),
            "killed by SIGABRT: assertion failed: x == 1 (src/bank.cpp:44 in void "
            "Account::put(int))");
  FailedRun moved = run;
  moved.place = "src/bank.cpp:44 in Account::put";
  EXPECT_EQ(id(moved), it.id) << "the assertion says where it is";
  moved.output = "nobody has seen it";
  moved.assertion.location = "/home/ann/src/bank.cpp:51";
  EXPECT_EQ(id(moved), it.id);
  moved.assertion.text = "x == 2";
  EXPECT_NE(id(moved), it.id);
  // A program that catches the signal, and exits.
  moved.kind = FailedRun::Kind::kExitStatus;
  EXPECT_EQ(cause(moved).pattern, "exit status");
  // A program that prints something like it, and crashes otherwise.
  run.assertion = {};
  run.output = "bank: src/bank.cpp:44: void Account::put(int): Assertion `x == 1' failed.\n";
  EXPECT_EQ(id(run), unknown);
}

TEST_F(Failures, OnlyTheEndOfTheOutputIsKept) {
  for (int i = 0; i < 100; ++i) freed_.output += std::to_string(i) + "\n";
  const std::vector<std::string> lines = cause(freed_).failure->output;
  ASSERT_EQ(lines.size(), 20u);
  EXPECT_EQ(lines.back(), "99");
}

}  // namespace
}  // namespace omnium::test
