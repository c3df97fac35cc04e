// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Boolean programs as Farzan & Madhusudan have them (section 4): Init is any set of states, and
// procedures that do not call themselves are written in place of their calls.
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "model/compile.h"
#include "model/explorer.h"
#include "model/parser.h"
#include "tests/model/counterexample.h"
#include "tests/support/environment.h"
#include "tests/support/naive_model.h"
#include "tests/support/random_program.h"

namespace omnium::test {
namespace {

using model::Answer;

Result<model::Outcome> explored(std::string_view text) {
  const auto program = model::parse(text, "model.omp");
  if (!program) return tl::unexpected(program.error());
  const auto compiled = compile(*program);
  if (!compiled) return tl::unexpected(compiled.error());
  return explore(*compiled, {});
}

std::string error_of(std::string_view text) {
  const auto outcome = explored(text);
  return outcome ? "no error" : outcome.error().to_string();
}

constexpr std::string_view kGuarded = R"(
  thread a { atomic both { x = true; if (unlocked) { x = false; } } }
  thread b { local bool seen; if (unlocked) { seen = x; } }
)";

// It is not serializable only if `unlocked` is true at first.
TEST(BooleanProgram, AVariableCanStartWithAnyValue) {
  const auto with = [](std::string_view first) {
    return explored("shared bool x;\nshared bool unlocked = " + std::string(first) + ";" +
                    std::string(kGuarded));
  };
  EXPECT_EQ(with("false")->answer, Answer::kSerializable);
  EXPECT_EQ(with("true")->answer, Answer::kNotSerializable);
  EXPECT_EQ(with("*")->answer, Answer::kNotSerializable);
  EXPECT_EQ(with("*")->run.size(), with("true")->run.size());
}

TEST(BooleanProgram, RangesAndArraysToo) {
  const auto with = [](std::string_view declaration, std::string_view condition) {
    return explored(std::string(declaration) + "thread t { assume(" + std::string(condition) +
                    "); assert(false); }")
        ->answer;
  };
  EXPECT_EQ(with("shared int[2..5] n = *;", "n == 5"), Answer::kBadModel);
  EXPECT_EQ(with("shared int[2..5] n = *;", "n == 5 && n == 4"), Answer::kSerializable);
  EXPECT_EQ(with("shared bool f[3] = *;", "f[0] && !f[1] && f[2]"), Answer::kBadModel);
  EXPECT_EQ(with("shared bool f[3] = true;", "f[0] && !f[1] && f[2]"), Answer::kSerializable);
}

TEST(BooleanProgram, WhatCannotStartWithAnyValue) {
  EXPECT_EQ(error_of("thread t { local bool b = *; }"),
            "model.omp:1:23: error: only shared variables and ghosts can start with any value");
  EXPECT_EQ(error_of("shared int[0..65535] n = *; shared bool x = *; thread t { skip; }"),
            "model.omp: error: more than 65536 combinations of first values");
}

// Against all runs from all first states, one by one.
TEST(BooleanProgram, LikeAllRuns) {
  const std::regex declaration(R"(shared bool (\w+)( = (true|false))?;)");
  std::size_t compared = 0, violations = 0;
  const std::uint64_t programs = number_from_environment("OMNIUM_PROGRAMS", 1'000);
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    const std::string text =
        std::regex_replace(random_program(seed), declaration, "shared bool $1 = *;");
    if (text.find("= *") == std::string::npos) continue;
    const auto program = model::parse(text, "random.omp");
    ASSERT_TRUE(program) << program.error().to_string() << "\n" << text;
    const CheckMode mode{Conflicts::kAll, Waits::kKeep};
    const NaiveVerdict naive = judge_all_runs(*program, mode, 2'000);
    if (!naive.complete) continue;
    const auto compiled = compile(*program);
    ASSERT_TRUE(compiled);
    model::Options options;
    options.mode = mode;
    const auto outcome = explore(*compiled, options);
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    ++compared;
    const bool violates =
        naive.shortest_violation &&
        (!naive.shortest_fault || *naive.shortest_violation <= *naive.shortest_fault);
    ASSERT_EQ(outcome->answer == Answer::kNotSerializable, violates) << "seed " << seed << "\n"
                                                                     << text;
    if (!violates) continue;
    ++violations;
    EXPECT_EQ(outcome->run.size(), *naive.shortest_violation) << text;
    expect_violating(*compiled, *outcome, mode);
  }
  EXPECT_GT(compared, programs / 20);
  EXPECT_GT(violations, programs / 200);
}

constexpr std::string_view kCalls = R"(
  shared int[0..9] balance;
  lock m;
  procedure get { acquire m; seen = balance; release m; }
  procedure put { local int[0..9] new = 1; new = new + seen; acquire m; balance = new; release m; }
  procedure deposit { atomic deposit { call get; call put; } }
  thread t[2] { local int[0..9] seen; call deposit; call deposit; }
)";
constexpr std::string_view kWrittenOut = R"(
  shared int[0..9] balance;
  lock m;
  thread t[2] {
    local int[0..9] seen;
    local int[0..9] new;
    loop 2 {
      atomic deposit {
        acquire m; seen = balance; release m;
        new = 1; new = new + seen; acquire m; balance = new; release m;
      }
    }
  }
)";

TEST(BooleanProgram, ProceduresAreWrittenInPlaceOfTheirCalls) {
  const auto calls = explored(kCalls);
  const auto written_out = explored(kWrittenOut);
  ASSERT_TRUE(calls) << calls.error().to_string();
  ASSERT_TRUE(written_out) << written_out.error().to_string();
  EXPECT_EQ(calls->answer, Answer::kNotSerializable);
  EXPECT_EQ(calls->run.size(), written_out->run.size());
}

TEST(BooleanProgram, LocalsOfAProcedureBeginAnewAtEachCall) {
  EXPECT_EQ(explored("procedure once { local bool done[2]; assert(!done[1]); done[1] = true; }"
                     "thread t { call once; call once; }")
                ->answer,
            Answer::kSerializable);
}

TEST(BooleanProgram, WrongCalls) {
  EXPECT_EQ(error_of("procedure p { call p; } thread t { call p; }"),
            "model.omp:1:20: error: no such procedure above; a procedure cannot call itself");
  EXPECT_EQ(error_of("procedure p { skip; } procedure p { skip; } thread t { call p; }"),
            "model.omp:1:33: error: this procedure is declared twice");
  EXPECT_EQ(error_of("procedure p { seen = true; } thread t { call p; }"),
            "model.omp:1:15: error: unknown variable 'seen'");
  std::string doubling = "procedure p0 { skip; }";
  for (int i = 1; i <= 20; ++i) {
    const std::string call = "call p" + std::to_string(i - 1) + "; ";
    doubling += "procedure p" + std::to_string(i) + " { " + call + call + "}";
  }
  EXPECT_NE(error_of(doubling + "thread t { call p20; }").find("become too long"),
            std::string::npos);
  std::string chain = "procedure p0 { skip; }";
  for (int i = 1; i <= 120; ++i) {
    chain += "procedure p" + std::to_string(i) + " { call p" + std::to_string(i - 1) + "; }";
  }
  EXPECT_NE(error_of(chain + "thread t { call p120; }").find("calls are nested too deeply"),
            std::string::npos);
}

}  // namespace
}  // namespace omnium::test
