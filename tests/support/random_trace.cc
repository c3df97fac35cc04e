// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_trace.h"

#include <fmt/format.h>

#include "event/well_formed.h"
#include "support/check.h"
#include "workload/dice.h"

namespace omnium::test {

namespace {

using workload::Dice;

struct ThreadState {
  bool started = false;
  bool joined = false;
  std::uint32_t depth = 0;
  std::vector<std::uint32_t> held;  // locks, inner acquires repeated
};

class Generator {
 public:
  Generator(std::uint64_t seed, const Shape& shape) : dice_(seed), shape_(shape) {
    threads_.resize(shape.threads);
    holder_.resize(shape.locks, kFree);
    threads_[0].started = true;
    for (std::uint32_t t = 1; t < shape.threads; ++t) {
      threads_[t].started = !shape.fork_join || dice_.percent(60);
    }
    name_all();
  }

  Trace make() && {
    while (trace_.events.size() < shape_.events) step();
    return std::move(trace_);
  }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};

  void name_all() {
    const auto fill = [](support::Interner& space, const char* prefix, std::uint32_t count) {
      for (std::uint32_t i = 0; i < count; ++i) space.intern(fmt::format("{}{}", prefix, i));
    };
    fill(trace_.names.threads, "T", shape_.threads);
    fill(trace_.names.variables, "x", shape_.variables);
    fill(trace_.names.locks, "m", shape_.locks);
    fill(trace_.names.labels, "b", 3);
  }

  void emit(std::uint32_t t, Kind kind, std::uint32_t object) {
    trace_.events.push_back({kind, static_cast<std::uint16_t>(t), object});
  }

  void step() {
    const std::uint32_t t = dice_.below(shape_.threads);
    ThreadState& thread = threads_[t];
    if (!thread.started || thread.joined) return;
    const bool wants_block = thread.depth == 0 && !dice_.percent(shape_.outside_percent);
    const std::uint32_t choice = dice_.below(100);
    if (wants_block || (shape_.nested && thread.depth > 0 && thread.depth < 4 && choice < 8)) {
      ++thread.depth;
      emit(t, Kind::kBegin, dice_.below(3));
    } else if (thread.depth > 0 && choice < 24) {
      --thread.depth;
      emit(t, Kind::kEnd, 0);
    } else if (choice < 42 && shape_.locks > 0) {
      lock_step(t);
    } else if (choice < 48 && shape_.fork_join) {
      fork_or_join(t);
    } else {
      // One throw after the other: in which order arguments are evaluated is the compiler's choice.
      const std::uint32_t variable = dice_.below(shape_.variables);
      emit(t, dice_.percent(55) ? Kind::kRead : Kind::kWrite, variable);
    }
  }

  void lock_step(std::uint32_t t) {
    ThreadState& thread = threads_[t];
    if (!thread.held.empty() && dice_.percent(55)) {
      const std::uint32_t m = thread.held.back();
      thread.held.pop_back();
      emit(t, Kind::kRelease, m);
      bool still = false;
      for (const std::uint32_t held : thread.held) still |= held == m;
      if (!still) holder_[m] = kFree;
      return;
    }
    const std::uint32_t m = dice_.below(shape_.locks);
    if (holder_[m] != kFree && holder_[m] != t) return;
    holder_[m] = t;
    thread.held.push_back(m);
    emit(t, Kind::kAcquire, m);
  }

  void fork_or_join(std::uint32_t t) {
    const std::uint32_t other = dice_.below(shape_.threads);
    if (other == t) return;
    if (!threads_[other].started) {
      threads_[other].started = true;
      emit(t, Kind::kFork, other);
    } else if (dice_.percent(25)) {
      threads_[other].joined = true;
      emit(t, Kind::kJoin, other);
    }
  }

  Dice dice_;
  Shape shape_;
  Trace trace_;
  std::vector<ThreadState> threads_;
  std::vector<std::uint32_t> holder_;
};

}  // namespace

Trace unchecked_random_trace(std::uint64_t seed, const Shape& shape) {
  return Generator(seed, shape).make();
}

Trace random_trace(std::uint64_t seed, const Shape& shape) {
  Trace trace = unchecked_random_trace(seed, shape);
  WellFormed checker;
  const auto wrong = checker.check(trace.events, trace.names);
  CHECK(!wrong);
  return trace;
}

Shape random_shape(std::uint64_t seed) {
  Dice dice(seed ^ 0x5eedull);
  Shape shape;
  shape.threads = 2 + dice.below(5);
  shape.events = 6 + dice.below(55);
  shape.variables = 1 + dice.below(4);
  shape.locks = dice.below(4);
  shape.nested = dice.percent(60);
  shape.fork_join = dice.percent(40);
  shape.outside_percent = dice.below(3) * 30;
  return shape;
}

}  // namespace omnium::test
