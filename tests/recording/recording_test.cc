// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Real threads record themselves; the recording must be the run that they had.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "engines/checker.h"
#include "recording/source.h"
#include "tests/recording/recorded_program.h"
#include "tests/support/memory_source.h"

namespace omnium::test {
namespace {

namespace fs = std::filesystem;
using live::RawKind;

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class RecordingTest : public testing::Test {
 protected:
  RecordingTest() : raw_(fs::temp_directory_path() / fmt::format("omnium-raw-{}", getpid())) {
    fs::remove(raw_);
  }
  ~RecordingTest() override { fs::remove(raw_); }

  std::unique_ptr<EventSource> source() {
    auto input = trace::open_input(raw_);
    EXPECT_TRUE(input) << input.error().to_string();
    auto source = recording::read_raw_log(std::move(*input));
    EXPECT_TRUE(source) << source.error().to_string();
    (*source)->want_locations(true);
    return std::move(*source);
  }

  std::string raw_;
};

std::vector<Event> all_events(EventSource& source) {
  std::vector<Event> events, batch(100);
  for (;;) {
    const auto count = source.read(batch);
    EXPECT_TRUE(count) << count.error().to_string();
    if (!count || *count == 0) return events;
    events.insert(events.end(), batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(*count));
  }
}

struct Verdict {
  bool serializable;
  std::set<std::pair<std::string, std::size_t>> violating, refuted;  // n-th begin of a thread

  std::string text() const {
    std::string out = serializable ? "serializable" : "not serializable";
    for (const auto& [thread, count] : violating) out += fmt::format(" {}.{}", thread, count);
    out += "; refuted";
    for (const auto& [thread, count] : refuted) out += fmt::format(" {}.{}", thread, count);
    return out;
  }
};

Verdict verdict_of(EventSource& source, const std::vector<Event>& events) {
  std::map<EventIndex, std::pair<std::string, std::size_t>> begins;
  std::map<std::uint32_t, std::size_t> counts;
  for (EventIndex i = 0; i < events.size(); ++i) {
    if (events[i].kind != Kind::kBegin) continue;
    begins[i] = {std::string(source.names().threads.name(events[i].thread_id)),
                 counts[events[i].thread_id]++};
  }
  const auto outcome = check_trace(source, *find_engine("reach"), {});
  EXPECT_TRUE(outcome) << outcome.error().to_string();
  if (!outcome) return {};
  Verdict verdict{outcome->serializable, {}, {}};
  for (const Violation& one : outcome->violations) {
    verdict.violating.insert(begins.at(one.transaction.begin));
  }
  for (const BlockRef& block : outcome->refuted) verdict.refuted.insert(begins.at(block.begin));
  return verdict;
}

std::string as_text(const std::vector<Event>& events, const Names& names) {
  std::string out;
  for (const Event& event : events) {
    const std::string_view object = event.kind <= Kind::kWrite ? names.variables.name(event.object)
                                    : event.kind <= Kind::kRelease ? names.locks.name(event.object)
                                    : event.kind <= Kind::kEnd     ? names.labels.name(event.object)
                                                               : names.threads.name(event.object);
    out += fmt::format("{} {} {} {}\n", names.threads.name(event.thread_id),
                       static_cast<int>(event.kind), object, names.locations.name(event.loc_id));
  }
  return out;
}

std::uint64_t stamp_of(const Event& event, const Names& names,
                       const std::vector<std::vector<Operation>>& operations) {
  const std::string location(names.locations.name(event.loc_id));
  const std::uint64_t place = std::stoull(location, nullptr, 16);
  return operations.at((place >> 20) - 1).at(place & 0xfffff).stamp;
}

// Events in conflict have the order of their numbers.
void expect_true_order(const std::vector<Event>& events, const Names& names,
                       const std::vector<std::vector<Operation>>& operations) {
  struct Latest {
    std::uint64_t write = 0, any = 0;
  };
  std::map<std::pair<bool, std::uint32_t>, Latest> objects;
  std::map<std::uint32_t, std::uint64_t> threads;
  for (const Event& event : events) {
    const std::uint64_t stamp = stamp_of(event, names, operations) + 1;
    ASSERT_GE(stamp, threads[event.thread_id]);
    threads[event.thread_id] = stamp;
    const bool locks = event.kind == Kind::kAcquire || event.kind == Kind::kRelease;
    if (!locks && event.kind > Kind::kWrite) continue;
    Latest& latest = objects[{locks, event.object}];
    ASSERT_GE(stamp, event.kind == Kind::kRead ? latest.write : latest.any)
        << names.variables.name(event.object);
    latest.any = std::max(latest.any, stamp);
    if (event.kind != Kind::kRead) latest.write = stamp;
  }
}

TEST_F(RecordingTest, IsTheRunThatHappened) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 1);
  const std::uint64_t count = number_from_environment("OMNIUM_PROGRAMS", 200);
  std::size_t violations = 0, serializable = 0, dropped = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("OMNIUM_SEED={} OMNIUM_PROGRAMS=1", seed));
    fs::remove(raw_);
    const auto threads = static_cast<std::uint32_t>(1 + seed % 12);
    RecordedProgram program({seed, threads, 1 + static_cast<std::uint32_t>(seed % 3),
                             static_cast<std::uint32_t>(2 + seed % 7 * (seed % 17)),
                             1 + static_cast<std::uint32_t>(seed % 5)});
    ASSERT_EQ(program.wait(program.start(raw_)), 0);
    const auto operations = program.operations();
    const auto recorded = source();
    const std::vector<Event> events = all_events(*recorded);
    EXPECT_EQ(recorded->warnings(), std::vector<std::string>{});
    expect_true_order(events, recorded->names(), operations);
    ASSERT_TRUE(recorded->seek(0));
    EXPECT_EQ(all_events(*recorded), events);
    ASSERT_TRUE(recorded->seek(0));
    const Verdict verdict = verdict_of(*recorded, events);

    const Trace truth = true_trace(operations);
    MemorySource true_source(truth);
    ASSERT_EQ(verdict.text(), verdict_of(true_source, truth.events).text())
        << "recorded:\n"
        << as_text(events, recorded->names()) << "true:\n"
        << to_std(truth);
    violations += verdict.violating.size();
    serializable += verdict.serializable;
    dropped += truth.events.size() > events.size();
  }
  if (count < 10) return;
  EXPECT_GT(violations, count);
  EXPECT_GT(serializable, 0u);
  EXPECT_GT(dropped, 0u);
}

}  // namespace
}  // namespace omnium::test
