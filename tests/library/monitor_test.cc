// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "omnium/monitor.h"

#include <gtest/gtest.h>

#include "tests/support/random_rich_trace.h"
#include "tests/support/random_trace.h"
#include "tests/support/run.h"

namespace omnium::test {
namespace {

// Ids that are neither dense nor small.
std::uint64_t outside_id(std::uint32_t id) { return 0xfedc'0000'0000'0000ull - 977ull * id; }

// Feeds a trace with what is no event to a monitor already taken out.
void feed(Monitor& monitor, const Trace& trace) {
  for (const Event& e : trace.events) {
    const std::uint64_t t = outside_id(e.thread_id), object = outside_id(e.object);
    bool fine = true;
    switch (e.kind) {
      case Kind::kRead: fine = monitor.read(t, object); break;
      case Kind::kWrite: fine = monitor.write(t, object); break;
      case Kind::kAcquire: fine = monitor.acquire(t, object); break;
      case Kind::kRelease: fine = monitor.release(t, object); break;
      case Kind::kBegin: fine = monitor.begin(t, object); break;
      case Kind::kEnd: fine = monitor.end(t); break;
      case Kind::kFork: fine = monitor.fork(t, object); break;
      case Kind::kJoin: fine = monitor.join(t, object); break;
      case Kind::kAtomicRead: fine = monitor.atomic_read(t, object); break;
      case Kind::kAtomicWrite: fine = monitor.atomic_write(t, object); break;
      case Kind::kUpdate: fine = monitor.update(t, object); break;
      case Kind::kRetry: fine = monitor.retry(t, object); break;
      case Kind::kSharedAcquire: fine = monitor.acquire_shared(t, object); break;
      case Kind::kSharedRelease: fine = monitor.release_shared(t, object); break;
      case Kind::kWait: fine = monitor.wait(t, object); break;
      case Kind::kResume: fine = monitor.resume(t, object); break;
      case Kind::kSignal: fine = monitor.signal(t, object); break;
      case Kind::kAwait: fine = monitor.await(t, object); break;
      case Kind::kBusy:
      case Kind::kSkip: break;
    }
    ASSERT_TRUE(fine) << monitor.error();
  }
}

// Without inner lock operations, and without tries that failed: a monitor is not told of those.
Trace as_fed(Trace trace) {
  std::erase_if(trace.events,
                [](const Event& e) { return e.kind == Kind::kSkip || e.kind == Kind::kBusy; });
  return trace;
}

void expect_same(const std::vector<MonitoredViolation>& found,
                 const std::vector<Violation>& violations) {
  ASSERT_EQ(found.size(), violations.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Violation& expected = violations[i];
    EXPECT_EQ(found[i].transaction.thread, outside_id(expected.transaction.thread.v));
    EXPECT_EQ(found[i].transaction.label, outside_id(expected.transaction.label.v));
    EXPECT_EQ(found[i].transaction.begin, expected.transaction.begin);
    ASSERT_EQ(found[i].witness.size(), expected.witness.size());
    EXPECT_EQ(found[i].witness.back().source_event, expected.closing.source);
    EXPECT_EQ(found[i].witness.back().object, outside_id(expected.closing.object));
    EXPECT_EQ(to_string(found[i].witness.back().kind), to_string(expected.closing.kind));
  }
}

// What a monitor says of a trace, and what its engine says that is fed directly.
void compare(const Trace& trace, CheckMode mode) {
  for (const EngineEntry& engine : all_engines()) {
    SCOPED_TRACE(engine.info.name);
    std::vector<MonitoredViolation> found;
    MonitorOptions options;
    options.engine = engine.info.name;
    options.every_instance = true;
    options.conflicts =
        mode.conflicts == Conflicts::kAll ? MonitorConflicts::kAll : MonitorConflicts::kData;
    options.waits = mode.waits == Waits::kKeep ? MonitorWaits::kKeep : MonitorWaits::kSplit;
    options.retries = true;
    Monitor monitor([&](const MonitoredViolation& v) { found.push_back(v); }, options);
    feed(monitor, trace);
    const EngineRun direct = run_engine(engine, trace.events, trace.names.extent(), true, 7, mode);
    ASSERT_EQ(monitor.finish(), direct.findings.serializable());
    expect_same(found, direct.findings.violations());
  }
}

TEST(Monitor, SaysWhatTheEngineSays) {
  for (std::uint64_t seed = 0; seed < 2000 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    compare(as_fed(random_trace(seed, random_shape(seed))), kAsPublished);
    const auto conflicts = seed % 2 == 0 ? Conflicts::kData : Conflicts::kAll;
    compare(as_fed(random_rich_trace(seed)), {conflicts, Waits::kSplit});
  }
}

TEST(Monitor, RetriesHaveToBeAnnounced) {
  Monitor monitor(nullptr);
  EXPECT_FALSE(monitor.retry(1, 1));
  EXPECT_EQ(monitor.error(), "retry() needs MonitorOptions::retries");
}

TEST(Monitor, IgnoresWhatCannotBe) {
  Monitor monitor(nullptr);
  EXPECT_FALSE(monitor.end(1));
  EXPECT_EQ(monitor.error(), "thread 1 ends a block, but none is open");
  EXPECT_TRUE(monitor.acquire(1, 7));
  EXPECT_TRUE(monitor.acquire(1, 7)) << "re-entrant";
  EXPECT_FALSE(monitor.release(2, 7));
  EXPECT_TRUE(monitor.fork(1, 2)) << "thread 2 has done nothing yet";
  EXPECT_TRUE(monitor.release(1, 7));
  EXPECT_FALSE(monitor.acquire(2, 7)) << "still held once";
  EXPECT_TRUE(monitor.release(1, 7));
  EXPECT_TRUE(monitor.acquire(2, 7));
  EXPECT_EQ(monitor.events(), 6u);
  EXPECT_TRUE(monitor.finish());
  EXPECT_FALSE(monitor.read(1, 1)) << "finished";
}

TEST(Monitor, NamesAnUnknownEngine) {
  MonitorOptions options;
  options.engine = "warp";
  Monitor monitor(nullptr, options);
  EXPECT_EQ(monitor.error(), "unknown engine 'warp'");
  EXPECT_FALSE(monitor.read(1, 1));
}

TEST(Monitor, TellsOnceThatTheRunIsNotSerializable) {
  std::vector<std::uint64_t> told;
  MonitorOptions options;
  options.on_not_serializable = [&](std::uint64_t event) { told.push_back(event); };
  int violations = 0;
  Monitor monitor([&](const MonitoredViolation&) { ++violations; }, options);
  for (int round = 0; round < 2; ++round) {
    monitor.begin(1, 5);
    monitor.read(1, 9);
    monitor.write(2, 9);
    monitor.write(1, 9);
    monitor.end(1);
  }
  EXPECT_EQ(told, std::vector<std::uint64_t>{3});
  EXPECT_EQ(violations, 2);
  EXPECT_FALSE(monitor.serializable());
}

}  // namespace
}  // namespace omnium::test
