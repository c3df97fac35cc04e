// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Models made from traces: their runs are the interleavings of the trace.
#include <gtest/gtest.h>

#include "model/compile.h"
#include "model/explorer.h"
#include "model/from_trace.h"
#include "model/parser.h"
#include "tests/support/naive_model.h"
#include "tests/support/random_trace.h"
#include "tests/support/reference.h"

namespace omnium::test {
namespace {

using model::Answer;
using model::Conflicts;

std::string model_of(const Trace& trace) {
  MemorySource source(trace);
  const auto text = model::model_from_trace(source, "random");
  return text ? *text : text.error().to_string();
}

TEST(FromTrace, KeepsOddNames) {
  Trace trace;
  for (const char* name : {"worker 1", "if", "t\"2\\"}) trace.names.threads.append(name);
  trace.names.variables.append("a.b->c");
  trace.names.locks.append("a.b->c");
  trace.names.labels.append("");
  trace.events = {{Kind::kBegin, 0, 0}, {Kind::kRead, 0, 0},    {Kind::kFork, 0, 1},
                  {Kind::kWrite, 1, 0}, {Kind::kAcquire, 2, 0}, {Kind::kJoin, 0, 1}};
  const auto program = model::parse(model_of(trace), "m.omp");
  ASSERT_TRUE(program) << program.error().to_string() << model_of(trace);
  const auto compiled = compile(*program);
  ASSERT_TRUE(compiled) << compiled.error().to_string();
  EXPECT_EQ(compiled->threads[2].name, "t\"2\\");
  EXPECT_EQ(compiled->cell_names[0], "a.b->c");
  model::Options options;
  options.mode.waits = Waits::kKeep;
  EXPECT_EQ(explore(*compiled, options)->answer, Answer::kNotSerializable);
}

// The trace is one of the runs; and all runs one by one give the same answer.
TEST(FromTrace, AnswersAreThoseOfAllInterleavings) {
  std::size_t compared = 0;
  std::size_t violating = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Shape shape;
    shape.events = 8 + static_cast<std::uint32_t>(seed % 5);
    shape.threads = 2 + static_cast<std::uint32_t>(seed % 2);
    shape.variables = 2;
    shape.outside_percent = 10;
    const Trace trace = random_trace(seed, shape);
    const auto program = model::parse(model_of(trace), "m.omp");
    ASSERT_TRUE(program) << program.error().to_string() << model_of(trace);
    const auto compiled = compile(*program);
    ASSERT_TRUE(compiled) << compiled.error().to_string();
    for (const Conflicts conflicts : {Conflicts::kAll, Conflicts::kData}) {
      model::Options options;
      options.mode.conflicts = conflicts;
      const auto outcome = explore(*compiled, options);
      ASSERT_TRUE(outcome);
      ASSERT_NE(outcome->answer, Answer::kBadModel) << model_of(trace);
      const bool serializable = outcome->answer == Answer::kSerializable;
      const NaiveVerdict naive = judge_all_runs(*program, {conflicts, Waits::kSplit}, 500);
      if (!naive.complete) continue;
      ++compared;
      violating += !serializable;
      EXPECT_EQ(serializable, !naive.shortest_violation) << "seed " << seed << model_of(trace);
      if (conflicts == Conflicts::kAll && serializable) {
        EXPECT_TRUE(Reference(trace.events, {conflicts, Waits::kSplit}).verdict().serializable)
            << "seed " << seed;
      }
    }
  }
  EXPECT_GT(compared, 150u);
  EXPECT_GT(violating, 30u);
}

}  // namespace
}  // namespace omnium::test
