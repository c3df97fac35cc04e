// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Grades against the definition: all admissible interleavings of small traces with every operation.
// A failure prints its seed:
//   OMNIUM_SEED=17 OMNIUM_TRACES=1 build/release/test-predict --gtest_filter='Grades*'
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "decode/open.h"
#include "tests/predict/predicting.h"
#include "tests/support/admissible_interleavings.h"
#include "tests/support/random_rich_trace.h"
#include "tests/support/reference.h"

namespace omnium::test {
namespace {

using predict::Grade;

// The best grade of a trace. What the recording shows is certain: it happened.
Grade best_grade(const predict::Prediction& prediction) {
  const predict::MethodResult& result = prediction.methods[0];
  Grade best = result.speculative.empty() ? Grade::kUndecided : Grade::kSpeculative;
  for (const predict::Warning& warning : result.warnings) best = std::max(best, warning.grade);
  const bool shown = result.recorded > 0 || !prediction.recording_serializable;
  return shown ? Grade::kCertain : best;
}

// The interleaving of a warning has its grade and violates the transaction.
void expect_real(const Trace& trace, const predict::Warning& warning, Waits waits) {
  ASSERT_TRUE(warning.interleaving);
  const auto order = warning.interleaving->order();
  ASSERT_GE(grade_of_interleaving(trace.events, order), warning.grade);
  std::vector<Event> events;
  for (const EventIndex index : order) events.push_back(trace.events[index]);
  const Reference reference(events, {Conflicts::kData, waits});
  ASSERT_FALSE(reference.verdict().serializable);
  if (warning.cycle) return;
  bool violated = false;
  for (const BlockRef& transaction : reference.verdict().violating) {
    violated |= order[transaction.begin] == warning.transaction.begin;
  }
  ASSERT_TRUE(violated) << "transaction " << warning.transaction.begin;
}

TEST(Grades, TracesWithAnswers) {
  namespace fs = std::filesystem;
  std::size_t seen = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(OMNIUM_SOURCE_DIR) / "tests/predict/grades")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".json")) continue;
    const auto truth = nlohmann::json::parse(std::ifstream(path));
    auto source = open_trace(path.substr(0, path.size() - 5) + ".std");
    ASSERT_TRUE(source) << path;
    const auto loaded = predict::load_trace(**source, nullptr);
    ASSERT_TRUE(loaded) << path;
    const auto prediction = predict::predict(*loaded, {});
    const Grade best = best_grade(prediction);
    const std::string expected = truth["grade"].get<std::string>();
    EXPECT_EQ(expected, best >= Grade::kPossible ? to_string(best) : "none") << path;
    EXPECT_TRUE(prediction.methods[0].undecided.empty()) << path;
    ++seen;
  }
  EXPECT_EQ(seen, 24u);
}

struct Tally {
  std::uint64_t none = 0, speculative = 0, possible = 0, certain = 0, shown = 0;
};

void compare(const Trace& trace, Waits waits, Tally& tally) {
  const GradedTrace truth = grade_by_definition(trace.events, {Conflicts::kData, waits});
  predict::PredictOptions options;
  options.waits = waits;
  const auto prediction = predict::predict(loaded(trace), options);
  const predict::MethodResult& result = prediction.methods[0];
  ASSERT_TRUE(result.undecided.empty());
  ASSERT_EQ(result.perhaps_speculative, 0u);
  // What a recording shows that contradicts itself is no interleaving.
  if (!prediction.recording_admissible && !prediction.recording_serializable) return;
  const Grade best = best_grade(prediction);
  if (truth.best >= Grade::kPossible || best >= Grade::kPossible) {
    ASSERT_EQ(to_string(best), to_string(truth.best));
  }
  // Cycles without a violated transaction are not looked for among what is only speculative.
  if (!truth.blocks.empty()) {
    ASSERT_EQ(to_string(best), to_string(truth.best));
  }
  for (const predict::Warning& warning : result.warnings) {
    expect_real(trace, warning, waits);
    if (testing::Test::HasFatalFailure()) return;
  }
  for (const auto& [block, its_grade] : truth.blocks) {
    if (result.recorded > 0) break;
    const Grade grade = its_grade;  // lambdas cannot capture structured bindings
    const auto is_it = [&](const predict::Warning& warning) {
      return !warning.cycle && warning.grade == grade;
    };
    const auto& list = grade == Grade::kSpeculative ? result.speculative : result.warnings;
    ASSERT_TRUE(std::ranges::any_of(list, is_it)) << "block " << block;
  }
  tally.shown += result.recorded > 0;
  switch (truth.best) {
    case Grade::kUndecided: ++tally.none; break;
    case Grade::kSpeculative: ++tally.speculative; break;
    case Grade::kPossible: ++tally.possible; break;
    case Grade::kCertain: ++tally.certain; break;
  }
}

TEST(Grades, AreThoseOfTheDefinition) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t traces = number_from_environment("OMNIUM_TRACES", 3'000);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + traces; ++seed) {
    const Trace trace = random_rich_trace(seed, {3, 6, 5});
    compare(trace, seed % 3 == 0 ? Waits::kKeep : Waits::kSplit, tally);
    if (HasFatalFailure()) FAIL() << "OMNIUM_SEED=" << seed << "\n" << to_std(trace);
  }
  if (first != 0 || traces < 3'000) return;
  EXPECT_GT(tally.certain, 50u);
  EXPECT_GT(tally.possible, 20u);
}

}  // namespace
}  // namespace omnium::test
