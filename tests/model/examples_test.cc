// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every model of examples/models has the answer that its text says.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "engines/checker.h"
#include "model/compile.h"
#include "model/counterexample.h"
#include "model/explorer.h"
#include "model/parser.h"
#include "support/text_file.h"

namespace omnium::test {
namespace {

namespace fs = std::filesystem;
using model::Answer;

std::vector<fs::path> examples() {
  std::vector<fs::path> paths;
  for (const auto& entry :
       fs::directory_iterator(fs::path(OMNIUM_SOURCE_DIR) / "examples/models")) {
    if (entry.path().extension() == ".omp") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string claimed(const std::string& text) {
  constexpr std::string_view kMark = "# answer: ";
  const std::size_t at = text.find(kMark);
  if (at == std::string::npos) return "no answer";
  const std::size_t begin = at + kMark.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::string told(const model::Outcome& outcome) {
  std::string answer = outcome.answer == Answer::kSerializable      ? "all runs serializable"
                       : outcome.answer == Answer::kNotSerializable ? "not serializable"
                                                                    : "neither";
  return outcome.deadlock ? answer + ", deadlock" : answer;
}

TEST(Examples, HaveTheirAnswers) {
  std::size_t seen = 0;
  for (const fs::path& path : examples()) {
    SCOPED_TRACE(path.filename().string());
    const auto text = support::read_text_file(path.string());
    ASSERT_TRUE(text);
    const auto program = model::parse(*text, path.filename().string());
    ASSERT_TRUE(program) << program.error().to_string();
    const auto compiled = compile(*program);
    ASSERT_TRUE(compiled) << compiled.error().to_string();
    std::size_t length = 0;
    for (const int variant : {0, 1, 2, 3}) {
      model::Options options;
      options.symmetry = (variant & 1) == 0;
      options.reduction = (variant & 2) == 0;
      const auto outcome = explore(*compiled, options);
      ASSERT_TRUE(outcome);
      EXPECT_EQ(told(*outcome), claimed(*text)) << variant;
      EXPECT_LE(outcome->state_bytes, 90u);
      if (variant == 0) length = outcome->run.size();
      EXPECT_EQ(outcome->run.size(), length) << variant;
      if (outcome->answer != Answer::kNotSerializable) continue;
      const MemoryTrace run = to_trace(*compiled, outcome->run);
      MemorySource source(run);
      CheckOptions checking;
      checking.mode = options.mode;
      const auto checked = check_trace(source, *find_engine(kDefaultEngine), checking);
      ASSERT_TRUE(checked) << checked.error().to_string();
      EXPECT_FALSE(checked->serializable);
    }
    ++seen;
  }
  EXPECT_GE(seen, 16u);
}

// Two workers find what one finds, and the same run.
TEST(Examples, DoNotDependOnTheNumberOfWorkers) {
  for (const fs::path& path : examples()) {
    const auto compiled =
        compile(*model::parse(*support::read_text_file(path.string()), path.filename().string()));
    ASSERT_TRUE(compiled);
    std::vector<MemoryTrace> runs;
    std::vector<std::uint64_t> states;
    for (const std::uint32_t workers : {1u, 2u, 3u}) {
      model::Options options;
      options.workers = workers;
      if (workers == 3) options.round_bytes = 10'000;
      const auto outcome = explore(*compiled, options);
      ASSERT_TRUE(outcome);
      runs.push_back(to_trace(*compiled, outcome->deadlock ? outcome->deadlock_run : outcome->run));
      states.push_back(outcome->states);
    }
    EXPECT_EQ(runs[0].events, runs[1].events) << path;
    EXPECT_EQ(runs[0].events, runs[2].events) << path;
    EXPECT_EQ(states[0], states[1]) << path;
    EXPECT_EQ(states[0], states[2]) << path;
  }
}

TEST(Examples, LimitsNeverGiveAWrongAnswer) {
  const fs::path path = fs::path(OMNIUM_SOURCE_DIR) / "examples/models/philosophers_5.omp";
  const auto compiled = compile(*model::parse(*support::read_text_file(path.string()), "p"));
  model::Options options;
  options.max_states = 100;
  auto outcome = explore(*compiled, options);
  EXPECT_EQ(outcome->answer, Answer::kUnknown);
  EXPECT_GT(outcome->states, 100u);
  options.max_states = 0;
  options.max_memory = 300'000;
  outcome = explore(*compiled, options);
  EXPECT_EQ(outcome->answer, Answer::kUnknown);
}

}  // namespace
}  // namespace omnium::test
