// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is certain really happens: programs of threads that do what their reads tell them are run,
// recorded and predicted, and run again under the predicted schedule. A failure prints its seed:
//   OMNIUM_SEED=17 OMNIUM_TRACES=1 build/release/test-predict --gtest_filter='CertainRuns*'
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "tests/predict/predicting.h"
#include "tests/support/reference.h"
#include "workload/dice.h"

namespace omnium::test {
namespace {

constexpr std::uint32_t kThreads = 3, kVariables = 2, kLocks = 2, kSignals = 1, kOperations = 7;

// What a thread does next is a function of everything it has read. Every write writes another
// value, and whether a compare-exchange or a try succeeds depends on what it finds.
class Program {
 public:
  explicit Program(std::uint64_t seed) : threads_(kThreads), values_(kVariables), locks_(kLocks) {
    for (std::uint32_t t = 0; t < kThreads; ++t) threads_[t].history = mix(seed, t);
  }

  // Lets the thread do its next event; none if it has to wait or is over.
  std::optional<Event> step(std::uint32_t t) {
    Thread& thread = threads_[t];
    if (thread.done == kOperations) return std::nullopt;
    Event event{choose(thread), static_cast<std::uint16_t>(t), 0};
    event.object = object_of(thread, event.kind);
    if (!perform(thread, event)) return std::nullopt;
    ++thread.done;
    thread.history = mix(thread.history, 1);
    return event;
  }

 private:
  struct Lock {
    std::uint32_t exclusive = kThreads;  // nobody
    std::vector<std::uint32_t> readers;
  };
  struct Thread {
    std::uint64_t history = 0;
    std::uint32_t done = 0;
    std::uint32_t depth = 0;
    std::vector<std::pair<std::uint32_t, bool>> held;  // lock, shared
    std::uint32_t waiting = kLocks;                    // with this lock
  };

  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t both[] = {a, b};
    return XXH64(both, sizeof both, 0);
  }

  // An update stands for a compare-exchange, an acquire for a try.
  static Kind choose(const Thread& thread) {
    if (thread.waiting != kLocks) return Kind::kResume;
    const std::uint64_t choice = thread.history % 100;
    if (thread.depth == 0 && choice < 40) return Kind::kBegin;
    if (thread.depth > 0 && choice < 5) return Kind::kEnd;
    if (!thread.held.empty() && choice < 30) {
      return thread.held.back().second ? Kind::kSharedRelease
             : choice < 10             ? Kind::kWait
                                       : Kind::kRelease;
    }
    constexpr Kind kKindsOfEvents[] = {
        Kind::kRead,          Kind::kRead,   Kind::kWrite,  Kind::kWrite,   Kind::kAtomicRead,
        Kind::kAtomicWrite,   Kind::kUpdate, Kind::kUpdate, Kind::kAcquire, Kind::kBusy,
        Kind::kSharedAcquire, Kind::kSignal, Kind::kAwait};
    return kKindsOfEvents[(thread.history >> 8) % std::size(kKindsOfEvents)];
  }
  static std::uint32_t object_of(const Thread& thread, Kind kind) {
    const auto any = static_cast<std::uint32_t>(thread.history >> 20);
    if (is_access(kind)) return any % kVariables;
    if (kind == Kind::kBegin || kind == Kind::kEnd) return 0;
    if (kind == Kind::kSignal || kind == Kind::kAwait) return any % kSignals;
    if (kind == Kind::kResume) return thread.waiting;
    if (gives_lock_back(kind)) return thread.held.back().first;
    return any % kLocks;
  }

  bool perform(Thread& thread, Event& event) {
    if (is_access(event.kind)) return instead(thread, event, event.kind);
    switch (event.kind) {
      case Kind::kBegin: ++thread.depth; return true;
      case Kind::kEnd: --thread.depth; return true;
      case Kind::kSignal: signalled_ = true; return true;
      case Kind::kAwait: return signalled_;
      case Kind::kBusy: {
        const Lock& lock = locks_[event.object];
        const bool mine = lock.exclusive == event.thread_id || holds(thread, event.object);
        const bool taken = lock.exclusive != kThreads || !lock.readers.empty();
        if (mine) return instead(thread, event, Kind::kWrite);
        thread.history = mix(thread.history, taken);
        if (taken) return true;
        event.kind = Kind::kAcquire;
        return take(thread, event);
      }
      case Kind::kAcquire:
      case Kind::kSharedAcquire:
        if (holds(thread, event.object)) return instead(thread, event, Kind::kRead);
        return take(thread, event);
      case Kind::kResume: return take(thread, event);
      default: give_back(thread, event); return true;
    }
  }
  // An access; of a lock that the thread holds already, nothing else can be done.
  bool instead(Thread& thread, Event& event, Kind kind) {
    event.kind = kind;
    event.object %= kVariables;
    access(thread, event);
    return true;
  }
  static bool holds(const Thread& thread, std::uint32_t lock) {
    return std::ranges::any_of(thread.held, [&](const auto& each) { return each.first == lock; });
  }
  void access(Thread& thread, Event& event) {
    std::uint64_t& value = values_[event.object];
    if (is_read(event.kind)) thread.history = mix(thread.history, value);
    if (event.kind == Kind::kUpdate && value % 3 == 0) event.kind = Kind::kRetry;
    if (is_write(event.kind)) value = mix(thread.history, 2);
  }
  bool take(Thread& thread, const Event& event) {
    Lock& lock = locks_[event.object];
    const bool shared = is_shared_side(event.kind);
    if (lock.exclusive != kThreads || (!shared && !lock.readers.empty())) return false;
    if (shared) {
      lock.readers.push_back(event.thread_id);
    } else {
      lock.exclusive = event.thread_id;
    }
    thread.held.emplace_back(event.object, shared);
    thread.waiting = kLocks;
    return true;
  }
  void give_back(Thread& thread, const Event& event) {
    Lock& lock = locks_[event.object];
    if (is_shared_side(event.kind)) {
      std::erase(lock.readers, event.thread_id);
    } else {
      lock.exclusive = kThreads;
    }
    thread.held.pop_back();
    if (event.kind == Kind::kWait) thread.waiting = event.object;
  }

  std::vector<Thread> threads_;
  std::vector<std::uint64_t> values_;
  std::vector<Lock> locks_;
  bool signalled_ = false;
};

Trace record(std::uint64_t seed) {
  Trace trace;
  const auto fill = [](support::Interner& space, const char* prefix, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) space.intern(fmt::format("{}{}", prefix, i));
  };
  fill(trace.names.threads, "T", kThreads);
  fill(trace.names.variables, "x", kVariables);
  fill(trace.names.locks, "m", kLocks);
  fill(trace.names.labels, "b", 1);
  fill(trace.names.signals, "c", kSignals);
  Program program(seed);
  workload::Dice dice(seed);
  for (std::size_t tries = 0; tries < 60; ++tries) {
    if (const auto event = program.step(dice.below(kThreads))) trace.events.push_back(*event);
  }
  return trace;
}

// Whether the program, scheduled like this, does what was recorded.
bool runs(std::uint64_t seed, const Trace& trace, std::span<const EventIndex> order) {
  Program program(seed);
  for (const EventIndex index : order) {
    if (program.step(trace.events[index].thread_id) != trace.events[index]) return false;
  }
  return true;
}

TEST(CertainRuns, WhatIsCertainHappens) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 0);
  const std::uint64_t all = number_from_environment("OMNIUM_TRACES", 3'000);
  std::uint64_t certain = 0, possible = 0, possible_runs = 0;
  for (std::uint64_t seed = first; seed < first + all; ++seed) {
    const Trace trace = record(seed);
    for (const std::size_t complete : {0u, 64u}) {
      predict::PredictOptions options;
      options.complete_search = complete;
      options.budget = 50'000;
      const auto prediction = predict::predict(loaded(trace), options);
      for (const predict::Warning& warning : prediction.methods[0].warnings) {
        const bool real = runs(seed, trace, warning.interleaving->order());
        if (warning.grade == predict::Grade::kCertain) {
          ++certain;
          ASSERT_TRUE(real) << "OMNIUM_SEED=" << seed << "\n" << to_std(trace);
        } else {
          ++possible;
          possible_runs += real;
        }
      }
    }
  }
  if (first != 0 || all < 3'000) return;
  EXPECT_GT(certain, 500u);
  // The test can tell: what is only possible mostly does not happen in these programs.
  EXPECT_LT(possible_runs * 2, possible);
}

}  // namespace
}  // namespace omnium::test
