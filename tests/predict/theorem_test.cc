// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// [Wang, Stoller theorem 5.1] Conflict-atomicity and view-atomicity can be reduced to each other:
// the transformations of its proof, on random programs, judged by every interleaving. And section
// 3.2.1: races that the conflict-forest shows.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/predict/predicting.h"
#include "tests/support/interleavings.h"
#include "tests/support/random_recording.h"

namespace omnium::test {
namespace {

// One transaction per thread and nothing outside: E is empty, and no two transactions are in an
// order.
Trace transactions(std::uint64_t seed, std::uint32_t threads, std::uint32_t variables = 2) {
  RecordingShape shape;
  shape.threads = threads;
  shape.variables = variables;
  shape.operations = threads == 2 ? 10 : 9;
  return random_recording(seed, shape);
}

// T': each access under a new lock, each write with a read of the variable before it (without which
// blind writes could be swapped).
std::vector<Event> with_lock(const Trace& trace) {
  std::vector<Event> out;
  const std::uint32_t lock = trace.names.extent().locks;
  for (const Event& event : trace.events) {
    const bool access = event.kind == Kind::kRead || event.kind == Kind::kWrite;
    if (access) out.push_back({Kind::kAcquire, event.thread_id, lock});
    if (event.kind == Kind::kWrite) out.push_back({Kind::kRead, event.thread_id, event.object});
    out.push_back(event);
    if (access) out.push_back({Kind::kRelease, event.thread_id, lock});
  }
  return out;
}

TEST(Theorem51, ConflictAtomicityIsViewAtomicityUnderALock) {
  std::size_t atomic = 0, not_atomic = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    const Trace trace = transactions(seed, seed % 2 == 0 ? 2 : 3);
    Extent extent = trace.names.extent();
    const auto plain = explore_interleavings(trace.events, extent, Views::kNo);
    ++extent.locks;
    const auto locked = explore_interleavings(with_lock(trace), extent);
    if (!plain.complete || !locked.complete || plain.deadlock_possible) continue;
    ASSERT_EQ(plain.conflict_atomic, locked.view_atomic) << "seed " << seed << "\n"
                                                         << to_std(trace);
    (plain.conflict_atomic ? atomic : not_atomic)++;
  }
  EXPECT_GT(atomic, 100u);
  EXPECT_GT(not_atomic, 100u);
}

// T_f: only reads of what other transactions wrote, and the last writes.
std::vector<Event> trimmed(const Trace& trace) {
  std::vector<Event> out;
  const auto same_write = [](const Event& a, const Event& b) {
    return b.kind == Kind::kWrite && a.thread_id == b.thread_id && a.object == b.object;
  };
  for (auto at = trace.events.begin(); at != trace.events.end(); ++at) {
    const auto matches = [&](const Event& other) { return same_write(*at, other); };
    const bool own = at->kind == Kind::kRead && std::any_of(trace.events.begin(), at, matches);
    const bool hidden =
        at->kind == Kind::kWrite && std::any_of(at + 1, trace.events.end(), matches);
    if (!own && !hidden) out.push_back(*at);
  }
  return out;
}

bool pairs_are_view_atomic(const Trace& trace) {
  const std::uint32_t threads = trace.names.extent().threads;
  for (std::uint32_t a = 0; a < threads; ++a) {
    for (std::uint32_t b = a + 1; b < threads; ++b) {
      std::vector<Event> both = trace.events;
      std::erase_if(both, [&](const Event& event) {
        return event.thread_id != a && event.thread_id != b;
      });
      const auto truth = explore_interleavings(both, trace.names.extent());
      if (!truth.complete || !truth.view_atomic) return false;
    }
  }
  return true;
}

TEST(Theorem51, ViewAtomicityIsConflictAtomicityOfWhatOthersSee) {
  std::size_t atomic = 0, not_atomic = 0;
  for (std::uint64_t seed = 0; seed < 6'000; ++seed) {
    const Trace trace = transactions(seed, 3, 3);
    if (!pairs_are_view_atomic(trace)) continue;
    const auto plain = explore_interleavings(trace.events, trace.names.extent());
    const auto fewer = explore_interleavings(trimmed(trace), trace.names.extent(), Views::kNo);
    if (!plain.complete || !fewer.complete || plain.deadlock_possible) continue;
    ASSERT_EQ(plain.view_atomic, fewer.conflict_atomic) << "seed " << seed << "\n"
                                                        << to_std(trace);
    (plain.view_atomic ? atomic : not_atomic)++;
  }
  EXPECT_GT(atomic, 100u);
  EXPECT_GT(not_atomic, 10u);
}

// [Section 3.2.1] "Each access node with incident inter-edges indicates a data race."
TEST(Races, OfTheConflictForest) {
  const auto races = [](std::string_view drawing) {
    const Trace trace = figure(drawing);
    predict::PredictOptions options;
    options.races = true;
    std::string out;
    for (const predict::RacingAccesses& race : predict::predict(loaded(trace), options).races) {
      out += std::string(trace.names.variables.name(race.variable.v)) + " " +
             std::to_string(race.first) + " " + std::to_string(race.second) + "\n";
    }
    return out;
  };
  EXPECT_EQ(races(R"(
      T1: begin(a) acq(m) w(x) rel(m) w(y) end
      T2:                                      begin(b) acq(m) r(x) rel(m) r(y) end)"),
            "y 4 10\n")
      << "m keeps the accesses of x apart";
  EXPECT_EQ(races(R"(
      T1: begin(a) w(x) end fork(T2)
      T2:                            r(x))"),
            "")
      << "the fork orders them";
  EXPECT_EQ(races(R"(
      T1: begin(a) aw(x) aw(y) end
      T2:                          ar(x) r(y))"),
            "y 2 5\n")
      << "two atomic accesses are no race";
}

// Two accesses race iff some admissible interleaving puts them side by side: with one access per
// thread and nothing but locks that is so if they have no lock in common.
TEST(Races, AreThoseWithoutACommonLock) {
  std::size_t racing = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Trace trace = transactions(seed, 2);
    predict::PredictOptions options;
    options.races = true;
    options.search = false;
    const auto found = predict::predict(loaded(trace), options).races;
    std::set<std::uint32_t> variables, expected;
    for (const predict::RacingAccesses& race : found) variables.insert(race.variable.v);
    std::vector<std::set<std::uint32_t>> held(2);
    std::vector<std::set<std::uint32_t>> held_at(trace.events.size());
    for (EventIndex i = 0; i < trace.events.size(); ++i) {
      const Event& event = trace.events[i];
      auto& mine = held[event.thread_id];
      if (event.kind == Kind::kAcquire) mine.insert(event.object);
      if (event.kind == Kind::kRelease) mine.erase(event.object);
      held_at[i] = mine;
      if (event.kind != Kind::kRead && event.kind != Kind::kWrite) continue;
      for (EventIndex j = 0; j < i; ++j) {
        const Event& other = trace.events[j];
        const bool conflict = is_access(other.kind) && other.object == event.object &&
                              other.thread_id != event.thread_id &&
                              (other.kind == Kind::kWrite || event.kind == Kind::kWrite);
        const bool apart = std::ranges::any_of(
            held_at[j], [&](std::uint32_t lock) { return held_at[i].contains(lock); });
        if (conflict && !apart) expected.insert(event.object);
      }
    }
    ASSERT_EQ(variables, expected) << "seed " << seed << "\n" << to_std(trace);
    racing += expected.size();
  }
  EXPECT_GT(racing, 100u);
}

// [Section 2] "A trace that ends in deadlock ... is not equivalent to any serial trace": nothing is
// called atomic then.
TEST(Deadlock, PotentialIsSaid) {
  const Trace trace = figure(R"(
      T1: begin(a) acq(m) acq(n) rel(n) rel(m) end
      T2:                                          begin(b) acq(n) acq(m) rel(m) rel(n) end)");
  const auto prediction = predict::predict(loaded(trace), {});
  EXPECT_FALSE(prediction.assumptions.no_deadlock_potential);
  EXPECT_EQ(prediction.deadlocks.cycles.size(), 1u);
}

}  // namespace
}  // namespace omnium::test
