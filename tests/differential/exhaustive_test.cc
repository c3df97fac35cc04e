// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every engine against the reference on every small trace there is: all well-formed sequences of
// reads, writes, lock operations, begins and ends, up to renaming of threads and variables.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/environment.h"
#include "tests/support/judge.h"

namespace omnium::test {
namespace {

struct Bounds {
  std::uint32_t threads, variables, locks, events;
};

class Enumeration {
 public:
  explicit Enumeration(const Bounds& bounds) : bounds_(bounds), depth_(bounds.threads) {
    holder_.resize(bounds.locks, kFree);
    const auto fill = [](support::Interner& space, const char* prefix, std::uint32_t count) {
      for (std::uint32_t i = 0; i < count; ++i) space.intern(fmt::format("{}{}", prefix, i));
    };
    fill(trace_.names.threads, "T", bounds.threads);
    fill(trace_.names.variables, "x", bounds.variables);
    fill(trace_.names.locks, "m", bounds.locks);
    fill(trace_.names.labels, "b", 1);
  }

  // Judges the trace so far, then every longer one.
  void explore(std::uint32_t threads_used, std::uint32_t variables_used) {
    ++traces_;
    const Reference reference(trace_.events);
    for (const EngineEntry& engine : engines_and_variants()) {
      const auto wrong = judge(engine, trace_, reference);
      if (wrong) ADD_FAILURE() << engine.info.name << ": " << *wrong << "\n" << to_std(trace_);
      if (wrong) return;
    }
    if (trace_.events.size() == bounds_.events || ::testing::Test::HasFailure()) return;
    // A new thread or variable may only be the next one: all others are renamings.
    for (std::uint32_t t = 0; t < std::min(bounds_.threads, threads_used + 1); ++t) {
      const std::uint32_t used = std::max(threads_used, t + 1);
      for (std::uint32_t x = 0; x < std::min(bounds_.variables, variables_used + 1); ++x) {
        extend({Kind::kRead, thread(t), x}, used, std::max(variables_used, x + 1));
        extend({Kind::kWrite, thread(t), x}, used, std::max(variables_used, x + 1));
      }
      explore_locks(t, used, variables_used);
      explore_blocks(t, used, variables_used);
    }
  }

  std::uint64_t traces() const { return traces_; }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};

  static std::uint16_t thread(std::uint32_t t) { return static_cast<std::uint16_t>(t); }

  void extend(Event event, std::uint32_t threads_used, std::uint32_t variables_used) {
    trace_.events.push_back(event);
    explore(threads_used, variables_used);
    trace_.events.pop_back();
  }

  void explore_locks(std::uint32_t t, std::uint32_t threads_used, std::uint32_t variables_used) {
    for (std::uint32_t m = 0; m < bounds_.locks; ++m) {
      const std::uint32_t before = holder_[m];
      if (before != kFree && before != t) continue;
      holder_[m] = before == kFree ? t : kFree;
      extend({before == kFree ? Kind::kAcquire : Kind::kRelease, thread(t), m}, threads_used,
             variables_used);
      holder_[m] = before;
    }
  }

  void explore_blocks(std::uint32_t t, std::uint32_t threads_used, std::uint32_t variables_used) {
    ++depth_[t];
    extend({Kind::kBegin, thread(t), 0}, threads_used, variables_used);
    --depth_[t];
    if (depth_[t] == 0) return;
    --depth_[t];
    extend({Kind::kEnd, thread(t), 0}, threads_used, variables_used);
    ++depth_[t];
  }

  Bounds bounds_;
  Trace trace_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint32_t> holder_;
  std::uint64_t traces_ = 0;
};

// Judges all traces within the bounds, and checks that there were as many as there are.
void judge_all(Bounds bounds, std::uint64_t traces) {
  const std::uint32_t events = bounds.events;
  bounds.events = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(events, number_from_environment("OMNIUM_EXHAUSTIVE_EVENTS", events)));
  Enumeration all(bounds);
  all.explore(0, 0);
  if (bounds.events == events) {
    EXPECT_EQ(all.traces(), traces);
  }
}

TEST(Exhaustive, TwoThreadsTwoVariablesOneLock) {
  judge_all({.threads = 2, .variables = 2, .locks = 1, .events = 6}, 852'778);
}

TEST(Exhaustive, ThreeThreads) {
  judge_all({.threads = 3, .variables = 2, .locks = 1, .events = 5}, 162'578);
}

}  // namespace
}  // namespace omnium::test
