// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_rich_trace.h"

#include <fmt/format.h>

#include "event/well_formed.h"
#include "support/check.h"
#include "workload/dice.h"

namespace omnium::test {

namespace {

// Proposes events and keeps those that make a well-formed trace.
class Generator {
 public:
  Generator(std::uint64_t seed, const RichShape& shape) : dice_(seed), shape_(shape) {
    threads_ = 2 + below(shape.most_threads - 1);
    variables_ = 1 + below(3);
    nests_ = dice_.percent(60);
    forks_ = dice_.percent(30);
    started_.assign(threads_, true);
    for (std::uint32_t t = 1; t < threads_ && forks_; ++t) started_[t] = dice_.percent(60);
    depth_.assign(threads_, 0);
    waits_.assign(threads_, kNone);
    const auto fill = [](support::Interner& space, const char* prefix, std::uint32_t count) {
      for (std::uint32_t i = 0; i < count; ++i) space.intern(fmt::format("{}{}", prefix, i));
    };
    fill(trace_.names.threads, "T", threads_);
    fill(trace_.names.variables, "x", variables_);
    fill(trace_.names.locks, "m", kLocks);
    fill(trace_.names.labels, "b", kLabels);
    fill(trace_.names.signals, "c", kSignals);
    checker_.grow_to(trace_.names.extent());
  }

  Trace make() && {
    const std::size_t events = shape_.fewest_events + below(shape_.more_events);
    for (int tries = 0; trace_.events.size() < events && tries < 1000; ++tries) propose();
    return std::move(trace_);
  }

 private:
  static constexpr std::uint32_t kLocks = 2, kSignals = 2, kLabels = 3;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t below(std::size_t bound) { return dice_.below(static_cast<std::uint32_t>(bound)); }

  void propose() {
    const std::uint32_t t = below(threads_);
    if (!started_[t]) return;
    Event event{pick_kind(t), static_cast<std::uint16_t>(t), 0};
    switch (event.kind) {
      case Kind::kFork:
      case Kind::kJoin: event.object = below(threads_); break;
      case Kind::kBegin:
      case Kind::kEnd: event.object = below(kLabels); break;
      case Kind::kSignal:
      case Kind::kAwait: event.object = below(kSignals); break;
      default: event.object = is_access(event.kind) ? below(variables_) : below(kLocks); break;
    }
    if (event.kind == Kind::kFork && started_[event.object]) return;
    if (event.kind == Kind::kResume) event.object = waits_[t];
    if (!checker_.accept(event)) return;
    if (event.kind == Kind::kFork) started_[event.object] = true;
    if (event.kind == Kind::kJoin) started_[event.object] = false;
    if (event.kind == Kind::kBegin) ++depth_[t];
    if (event.kind == Kind::kEnd) --depth_[t];
    if (event.kind == Kind::kWait) waits_[t] = event.object;
    if (event.kind == Kind::kResume) waits_[t] = kNone;
    trace_.events.push_back(event);
  }

  // A thread that waits does nothing but resume, or await what wakes it.
  Kind pick_kind(std::uint32_t t) {
    if (waits_[t] != kNone) return dice_.percent(70) ? Kind::kResume : Kind::kAwait;
    const std::uint32_t choice = below(100);
    const bool inside = depth_[t] > 0;
    if (choice < (inside ? (nests_ ? 6 : 0) : 35)) return Kind::kBegin;
    if (inside && choice < 16) return Kind::kEnd;
    if (choice < 22) return forks_ ? (dice_.percent(60) ? Kind::kFork : Kind::kJoin) : Kind::kRead;
    constexpr Kind kKindsOfEvents[] = {
        Kind::kRead,       Kind::kWrite,      Kind::kRead,          Kind::kWrite,
        Kind::kAtomicRead, Kind::kAtomicRead, Kind::kAtomicWrite,   Kind::kUpdate,
        Kind::kRetry,      Kind::kRetry,      Kind::kSharedAcquire, Kind::kSharedRelease,
        Kind::kAcquire,    Kind::kRelease,    Kind::kRelease,       Kind::kWait,
        Kind::kSignal,     Kind::kAwait,      Kind::kBusy};
    return kKindsOfEvents[below(std::size(kKindsOfEvents))];
  }

  workload::Dice dice_;
  RichShape shape_;
  std::uint32_t threads_ = 0, variables_ = 0;
  bool nests_ = false, forks_ = false;
  std::vector<bool> started_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint32_t> waits_;  // lock that the thread waits with
  WellFormed checker_;
  Trace trace_;
};

}  // namespace

Trace random_rich_trace(std::uint64_t seed, const RichShape& shape) {
  return Generator(seed, shape).make();
}

}  // namespace omnium::test
