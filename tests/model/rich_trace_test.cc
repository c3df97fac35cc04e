// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Models of traces with every operation: their runs are the admissible interleavings, and their
// answers those of predictions. A failure prints its seed:
//   OMNIUM_SEED=17 OMNIUM_TRACES=1 build/release/test-model --gtest_filter='RichTrace*'
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "decode/open.h"
#include "engines/checker.h"
#include "model/compile.h"
#include "model/counterexample.h"
#include "model/explorer.h"
#include "model/from_trace.h"
#include "model/parser.h"
#include "predict/exhaustive.h"
#include "predict/loaded_trace.h"
#include "tests/model/counterexample.h"
#include "tests/support/admissible_interleavings.h"
#include "tests/support/environment.h"
#include "tests/support/random_rich_trace.h"
#include "tests/support/reference.h"

namespace omnium::test {
namespace {

using model::Answer;
using predict::Grade;

constexpr CheckMode kModes[] = {{Conflicts::kAll, Waits::kKeep},
                                {Conflicts::kAll, Waits::kSplit},
                                {Conflicts::kData, Waits::kKeep},
                                {Conflicts::kData, Waits::kSplit}};

struct Explored {
  std::string text;
  model::Model model;
  model::Outcome outcome;
};

Explored explored(EventSource& source, CheckMode mode, bool reduction = true) {
  Explored out;
  const auto text = model::model_from_trace(source, "recording");
  EXPECT_TRUE(text) << text.error().to_string();
  out.text = *text;
  const auto program = model::parse(*text, "recording.omp");
  EXPECT_TRUE(program) << program.error().to_string() << *text;
  auto compiled = compile(*program);
  EXPECT_TRUE(compiled) << compiled.error().to_string() << *text;
  out.model = std::move(*compiled);
  model::Options options;
  options.mode = mode;
  options.reduction = reduction;
  options.workers = 1;
  const auto outcome = explore(out.model, options);
  EXPECT_TRUE(outcome) << *text;
  EXPECT_NE(outcome->answer, Answer::kBadModel) << outcome->fault.message() << *text;
  out.outcome = *outcome;
  return out;
}

struct Tally {
  std::uint64_t violating = 0, serializable = 0;
};

void compare(const Trace& trace, CheckMode mode, bool reduction, Tally& tally) {
  MemorySource source(trace);
  const Explored explored = test::explored(source, mode, reduction);
  const GradedTrace truth = grade_by_definition(trace.events, mode);
  const bool violating = explored.outcome.answer == Answer::kNotSerializable;
  ++(violating ? tally.violating : tally.serializable);
  ASSERT_EQ(violating, truth.best >= Grade::kPossible)
      << explored.text << to_string(mode.conflicts) << " " << to_string(mode.waits)
      << (reduction ? " reduction" : "");
  if (violating) expect_violating(explored.model, explored.outcome, mode);
}

TEST(RichTrace, RunsAreTheAdmissibleInterleavings) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", 1'500);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    const Trace trace = random_rich_trace(seed, {3, 6, 5});
    for (const CheckMode mode : kModes) compare(trace, mode, seed % 4 != 0, tally);
    if (HasFailure()) FAIL() << "OMNIUM_SEED=" << seed << "\n" << to_std(trace);
  }
  if (traces < 1'500) return;
  EXPECT_GT(tally.violating, traces / 10);
  EXPECT_GT(tally.serializable, traces / 10);
}

// Whether prediction finds an admissible interleaving that is not serializable. Nothing if the
// search was cut off.
std::optional<bool> predicted(EventSource& source, Waits waits) {
  const auto loaded = predict::load_trace(source, nullptr);
  EXPECT_TRUE(loaded) << loaded.error().to_string();
  const predict::Recording recording(loaded->events, loaded->extent);
  predict::Exhaustive search(recording, waits);
  std::uint64_t budget = 100'000;
  bool found = false;
  const bool complete =
      search.run(predict::Reads::kAtomicAsRecorded, budget, [&](const predict::Unserializable&) {
        found = true;
        return false;
      });
  if (!complete && !found) return std::nullopt;
  return found;
}

TEST(RichTrace, LongerOnesAgreeWithPrediction) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", 3'000);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    const Trace trace = random_rich_trace(seed, {4, 10, 15});
    for (const Waits waits : {Waits::kSplit, Waits::kKeep}) {
      MemorySource source(trace);
      const auto violating = predicted(source, waits);
      if (!violating) continue;
      MemorySource again(trace);
      const Explored explored = test::explored(again, {Conflicts::kData, waits});
      ASSERT_EQ(explored.outcome.answer == Answer::kNotSerializable, *violating)
          << "OMNIUM_SEED=" << seed << "\n"
          << to_std(trace) << explored.text << to_string(waits);
      ++(*violating ? tally.violating : tally.serializable);
    }
  }
  if (traces < 3'000) return;
  EXPECT_GT(tally.violating, traces / 3);
  EXPECT_GT(tally.serializable, traces / 3);
}

// The traces that come with answers: all interleavings, so the recording itself counts, too.
TEST(RichTrace, TracesWithAnswers) {
  namespace fs = std::filesystem;
  std::size_t seen = 0;
  for (const char* folder : {"tests/predict/grades", "tests/rich/traces"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(OMNIUM_SOURCE_DIR) / folder)) {
      const std::string path = entry.path().string();
      if (!path.ends_with(".std")) continue;
      SCOPED_TRACE(path);
      for (const Waits waits : {Waits::kSplit, Waits::kKeep}) {
        auto source = open_trace(path);
        ASSERT_TRUE(source);
        const auto violating = predicted(**source, waits);
        if (!violating) continue;
        auto again = open_trace(path);
        const Explored explored = test::explored(**again, {Conflicts::kData, waits});
        EXPECT_EQ(explored.outcome.answer == Answer::kNotSerializable, *violating) << explored.text;
        ++seen;
      }
      std::ifstream answers(path.substr(0, path.size() - 4) + ".json");
      const auto truth = nlohmann::json::parse(answers);
      if (!truth.contains("grade")) continue;
      auto source = open_trace(path);
      const Explored explored = test::explored(**source, kDefaultMode);
      EXPECT_EQ(explored.outcome.answer == Answer::kNotSerializable, truth["grade"] != "none");
    }
  }
  EXPECT_GE(seen, 100u);
}

}  // namespace
}  // namespace omnium::test
