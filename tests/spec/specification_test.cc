// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/specification.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "engines/checker.h"
#include "spec/block_filter.h"
#include "spec/profile.h"
#include "tests/support/figure.h"

namespace omnium::test {
namespace {

std::string file_with(std::string_view text) {
  const std::string path = ::testing::TempDir() + "/omnium-spec-test-" +
                           ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::ofstream(path) << text;
  return path;
}

TEST(Glob, StarsAndQuestionMarks) {
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("Account::*", "Account::deposit(int)"));
  EXPECT_FALSE(glob_match("Account::*", "Bank::Account::x"));
  EXPECT_TRUE(glob_match("*a*b*c", "xxaxxbbxxcxc"));
  EXPECT_FALSE(glob_match("*a*b*c", "xxaxxbbxxcx"));
  EXPECT_TRUE(glob_match("t?st", "test"));
  EXPECT_FALSE(glob_match("t?st", "tst"));
  EXPECT_FALSE(glob_match("", "x"));
}

TEST(Glob, AnEscapedNameMatchesOnlyItself) {
  for (const std::string name : {"operator*", "a?b", "back\\slash", "#1", "plain", ""}) {
    EXPECT_TRUE(glob_match(glob_for(name), name)) << name;
    EXPECT_FALSE(glob_match(glob_for(name), name + "x")) << name;
  }
  for (const std::string odd : {"two\nlines", " blank", "blank ", "a # b"}) {
    const std::string line = "not-atomic " + glob_for(odd);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(read_rule(line).kind, RuleLine::Kind::kRule);
    EXPECT_TRUE(glob_match(read_rule(line).glob, odd)) << odd;
  }
  EXPECT_FALSE(glob_match(glob_for("operator*"), "operator+"));
  EXPECT_FALSE(glob_match(glob_for("a?b"), "axb"));
}

TEST(Specification, TheLastMatchWins) {
  Specification specification;
  ASSERT_TRUE(
      specification.read_file(file_with("atomic A::*\n"
                                        "not-atomic A::log*   # noisy\n"
                                        "\n"
                                        "# A::logical is meant to be atomic\n"
                                        "atomic A::logical\r\n")));
  EXPECT_TRUE(specification.atomic("A::x"));
  EXPECT_FALSE(specification.atomic("A::log_line"));
  EXPECT_TRUE(specification.atomic("A::logical"));
  EXPECT_FALSE(specification.atomic("B::x")) << "the file lists what is atomic";
}

TEST(Specification, OnlyExclusionsLeaveTheRestAtomic) {
  Specification specification;
  ASSERT_TRUE(specification.read_file(file_with("not-atomic main\nnot-atomic job #3\n")));
  EXPECT_FALSE(specification.atomic("main"));
  EXPECT_FALSE(specification.atomic("job"));
  EXPECT_TRUE(specification.atomic("transfer"));
}

TEST(Specification, ExclusionListsMatchParts) {
  Specification specification;
  ASSERT_TRUE(specification.read_exclusions(file_with("Thread.run\n  *odd*  \n")));
  EXPECT_FALSE(specification.atomic("java/lang/Thread.run()V"));
  EXPECT_FALSE(specification.atomic("the *odd* one"));
  EXPECT_TRUE(specification.atomic("odd"));
}

TEST(Specification, SaysWhereItIsWrong) {
  Specification specification;
  const auto result = specification.read_file(file_with("atomic x\nnonatomic y\n"));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().to_string().find(":2:1: error: expected 'atomic GLOB' or 'not-atomic"
                                            " GLOB', got 'nonatomic y'"),
            std::string::npos);
  EXPECT_FALSE(specification.read_file("/no/such/file"));
  EXPECT_FALSE(specification.read_file("/"));
}

TEST(Specification, BlocksInsideATakenOutOneAreTheOutermost) {
  const Trace trace = figure(R"(
      T1: begin(outer) r(x)      begin(inner) w(x) end end
      T2:                   w(x)                          )");
  MemorySource source(trace);
  Specification specification;
  specification.exclude("outer");
  CheckOptions options;
  options.specification = &specification;
  const auto outcome = check_trace(source, *find_engine("reach"), options);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->serializable);
}

// An end goes with its own begin, whatever becomes of the blocks around it.
TEST(Specification, EndsGoWithTheirBegins) {
  Trace trace = figure("T1: begin(in) begin(out) begin(in) r(x) end end end begin(out) r(x) end");
  Specification specification;
  specification.exclude("out");
  BlockFilter(specification).apply(trace.events, trace.names);
  std::vector<Kind> kinds;
  for (const Event& event : trace.events) kinds.push_back(event.kind);
  EXPECT_EQ(kinds,
            (std::vector<Kind>{Kind::kBegin, Kind::kSkip, Kind::kBegin, Kind::kRead, Kind::kEnd,
                               Kind::kSkip, Kind::kEnd, Kind::kSkip, Kind::kRead, Kind::kSkip}));
}

std::set<std::string> excluded_by(Profile profile, const Trace& trace) {
  ProfileSurvey survey(profile);
  survey.look_at(trace.events, trace.names);
  return survey.excluded();
}

TEST(Profile, MainThreadStartsAndWaits) {
  const Trace trace = figure(R"(
      T1: begin(main) fork(T2)                                                       join(T2)
      T2:                      begin(job) begin(take) begin(pthread_cond_wait) end end        )");
  EXPECT_EQ(excluded_by(Profile::kNaive, trace), (std::set<std::string>{"main", "job"}));
  EXPECT_EQ(excluded_by(Profile::kPaper, trace),
            (std::set<std::string>{"main", "job", "take", "pthread_cond_wait"}));
}

}  // namespace
}  // namespace omnium::test
