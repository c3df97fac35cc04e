// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The papers' example traces, read from their files, against the verdicts beside them and the
// reference.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "event/well_formed.h"
#include "decode/open.h"
#include "tests/support/judge.h"
#include "tests/support/trace_bytes.h"

namespace omnium::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Read {
  std::unique_ptr<EventSource> source;
  std::vector<Event> events;
};

Read read_file(const fs::path& path) {
  auto source = open_trace(path.string());
  EXPECT_TRUE(source);
  auto events = read_all(**source);
  EXPECT_TRUE(events);
  WellFormed checker;
  EXPECT_FALSE(checker.check(*events, (*source)->names()));
  return {std::move(*source), std::move(*events)};
}

std::set<std::pair<std::string, EventIndex>> named(const std::set<BlockRef>& blocks,
                                                   const Names& names) {
  std::set<std::pair<std::string, EventIndex>> result;
  for (const BlockRef& block : blocks) {
    result.emplace(names.threads.name(block.thread.v), block.begin);
  }
  return result;
}

TEST(PaperTraces, VerdictsAreThoseBesideThem) {
  std::size_t traces = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(OMNIUM_SOURCE_DIR) / "tests/paper/traces")) {
    if (entry.path().extension() != ".std") continue;
    SCOPED_TRACE(entry.path().filename());
    ++traces;
    std::ifstream verdict_file(fs::path(entry.path()).replace_extension(".json"));
    const json expected = json::parse(verdict_file);
    const Read read = read_file(entry.path());
    const Names& names = read.source->names();
    EXPECT_EQ(read.events.size(), expected["events"]);
    EXPECT_EQ(names.threads.size(), expected["threads"]);

    const Reference reference(read.events);
    const ReferenceVerdict& verdict = reference.verdict();
    EXPECT_EQ(verdict.serializable, expected["serializable"]);
    std::set<std::pair<std::string, EventIndex>> violating, refuted;
    for (const json& block : expected["violating"])
      violating.emplace(block["thread"], block["begin"]);
    for (const json& block : expected["refuted"]) refuted.emplace(block[0], block[2]);
    EXPECT_EQ(named(verdict.violating, names), violating);
    EXPECT_EQ(named(verdict.refuted, names), refuted);
    EXPECT_EQ(verdict.instances,
              (expected["instances"].get<std::set<std::pair<EventIndex, EventIndex>>>()));
  }
  EXPECT_EQ(traces, 25u);
}

// The engines answer to the reference, on these traces too.
TEST(PaperTraces, EveryEngineKeepsItsPromises) {
  for (const auto& entry :
       fs::directory_iterator(fs::path(OMNIUM_SOURCE_DIR) / "tests/paper/traces")) {
    if (entry.path().extension() != ".std") continue;
    const Read read = read_file(entry.path());
    Trace trace;
    trace.events = read.events;
    const Names& names = read.source->names();
    const auto copy = [](const support::Interner& from, support::Interner& to) {
      for (std::uint32_t id = 0; id < from.size(); ++id) to.append(from.name(id));
    };
    copy(names.threads, trace.names.threads);
    copy(names.variables, trace.names.variables);
    copy(names.locks, trace.names.locks);
    copy(names.labels, trace.names.labels);
    const Reference reference(trace.events);
    for (const EngineEntry& engine : all_engines()) {
      const auto wrong = judge(engine, trace, reference);
      EXPECT_FALSE(wrong) << entry.path() << " " << engine.info.name << ": " << *wrong;
    }
  }
}

}  // namespace
}  // namespace omnium::test
