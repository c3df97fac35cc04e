// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Traces with the richer operations, read from their files, against the answers beside them: for
// the reference and for every engine, in the four combinations of --conflicts and --waits.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "decode/open.h"
#include "engines/checker.h"
#include "tests/support/judge.h"
#include "tests/support/random_rich_trace.h"
#include "tests/support/trace_bytes.h"
#include "trace/core_events.h"

namespace omnium::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kTraces = fs::path(OMNIUM_SOURCE_DIR) / "tests/rich/traces";

constexpr CheckMode kModes[] = {{Conflicts::kData, Waits::kSplit},
                                {Conflicts::kData, Waits::kKeep},
                                {Conflicts::kAll, Waits::kSplit},
                                {Conflicts::kAll, Waits::kKeep}};

template <class Blocks>
std::set<EventIndex> begins_of(const Blocks& blocks) {
  std::set<EventIndex> begins;
  for (const auto& block : blocks) begins.insert(block.begin);
  return begins;
}

// Calls judge(path, mode, answer) for each trace and mode.
template <class Judge>
void for_each_answer(Judge&& judge) {
  std::size_t traces = 0;
  for (const auto& entry : fs::directory_iterator(kTraces)) {
    if (entry.path().extension() != ".std") continue;
    ++traces;
    std::ifstream answers(fs::path(entry.path()).replace_extension(".json"));
    const json expected = json::parse(answers);
    for (const CheckMode mode : kModes) {
      const std::string key =
          fmt::format("{} {}", to_string(mode.conflicts), to_string(mode.waits));
      SCOPED_TRACE(entry.path().filename().string() + ", " + key);
      judge(entry.path().string(), mode, expected[key]);
    }
  }
  EXPECT_EQ(traces, 30u);
}

TEST(RichTraces, TheReferenceGivesTheAnswersBesideThem) {
  for_each_answer([](const std::string& path, CheckMode mode, const json& answer) {
    const auto source = open_trace(path);
    ASSERT_TRUE(source);
    auto events = read_all(**source);
    ASSERT_TRUE(events);
    WellFormed checker;
    ASSERT_FALSE(checker.check(*events, (*source)->names()));
    const Reference reference(std::move(*events), mode);
    EXPECT_EQ(reference.verdict().serializable, answer["serializable"]);
    EXPECT_EQ(begins_of(reference.verdict().violating),
              answer["violating"].get<std::set<EventIndex>>());
  });
}

// What is written for tools that know only the core operations has the papers' answers.
TEST(RichTraces, CoreEventsHaveTheAnswersOfThePapers) {
  for_each_answer([](const std::string& path, CheckMode mode, const json& answer) {
    if (mode != kAsPublished) return;
    const auto source = open_trace(path);
    ASSERT_TRUE(source);
    auto core = trace::CoreEvents::of(**source);
    ASSERT_TRUE(core) << core.error().to_string();
    CheckOptions options;
    options.mode = kAsPublished;
    const auto outcome = check_trace(*core, *find_engine("reach"), options);
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    EXPECT_EQ(outcome->serializable, answer["serializable"]);
    EXPECT_EQ(outcome->violations.size(), answer["violating"].size());
  });
}

TEST(RandomRichTraces, AndTheirCoreEventsHaveTheSameAnswer) {
  std::size_t serializable = 0;
  CheckOptions options;
  options.mode = kAsPublished;
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    const Trace trace = random_rich_trace(seed);
    MemorySource source(trace), again(trace);
    auto core = trace::CoreEvents::of(source);
    ASSERT_TRUE(core) << core.error().to_string();
    const auto as_core = check_trace(*core, *find_engine("reach"), options);
    const auto as_it_is = check_trace(again, *find_engine("reach"), options);
    ASSERT_TRUE(as_core && as_it_is);
    ASSERT_EQ(as_core->serializable, as_it_is->serializable) << seed << "\n" << to_std(trace);
    ASSERT_EQ(as_core->violations.size(), as_it_is->violations.size()) << seed;
    serializable += as_core->serializable;
  }
  EXPECT_GT(serializable, 100u);
  EXPECT_LT(serializable, 2'900u);
}

// As `omnium check` does it: a trace with failed attempts is read a second time.
TEST(RichTraces, EveryEngineGivesTheAnswersBesideThem) {
  for_each_answer([](const std::string& path, CheckMode mode, const json& answer) {
    for (const EngineEntry& engine : all_engines()) {
      SCOPED_TRACE(engine.info.name);
      const auto source = open_trace(path);
      ASSERT_TRUE(source);
      CheckOptions options;
      options.mode = mode;
      const auto outcome = check_trace(**source, engine, options);
      ASSERT_TRUE(outcome) << outcome.error().to_string();
      if (engine.info.serializable == Promise::kExact) {
        EXPECT_EQ(outcome->serializable, answer["serializable"]);
      }
      if (engine.info.transactions != Promise::kExact) continue;
      std::set<EventIndex> violating;
      for (const Violation& violation : outcome->violations) {
        violating.insert(violation.transaction.begin);
      }
      EXPECT_EQ(violating, answer["violating"].get<std::set<EventIndex>>());
    }
  });
}

}  // namespace
}  // namespace omnium::test
