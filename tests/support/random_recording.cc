// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_recording.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "event/well_formed.h"
#include "support/check.h"
#include "workload/dice.h"

namespace omnium::test {

namespace {

using workload::Dice;
using Code = std::vector<Event>;

class Writer {
 public:
  Writer(std::uint64_t seed, const RecordingShape& shape) : dice_(seed), shape_(shape) {}

  std::vector<Code> write() {
    std::vector<Code> program(shape_.threads);
    const std::uint32_t share = std::max(1u, shape_.operations / shape_.threads);
    for (std::uint32_t t = 0; t < shape_.threads; ++t) {
      code_ = &program[t];
      thread_ = static_cast<std::uint16_t>(t);
      const std::uint32_t transactions = 1 + dice_.below(shape_.transactions);
      for (std::uint32_t i = 0; i < transactions; ++i) {
        if (shape_.outside && dice_.percent(50)) outside();
        emit(Kind::kBegin, dice_.below(2));
        body(std::max(1u, share / transactions), 0);
        emit(Kind::kEnd, 0);
      }
      if (shape_.outside && dice_.percent(40)) outside();
    }
    if (shape_.unnested) delay_releases(program);
    if (shape_.fork_join) add_forks(program);
    return program;
  }

 private:
  void emit(Kind kind, std::uint32_t object) { code_->push_back({kind, thread_, object}); }

  void access() {
    emit(dice_.percent(50) ? Kind::kRead : Kind::kWrite, dice_.below(shape_.variables));
  }

  void outside() {
    const bool locked = shape_.outside_locks && shape_.locks > 0 && dice_.percent(50);
    const std::uint32_t lock = locked ? dice_.below(shape_.locks) : 0;
    if (locked) emit(Kind::kAcquire, lock);
    access();
    if (locked) emit(Kind::kRelease, lock);
  }

  // `budget` operations; locks from `lowest` up may be taken if they are ordered.
  void body(std::uint32_t budget, std::uint32_t lowest) {
    while (budget > 0) {
      const std::uint32_t choices = shape_.ordered_locks ? shape_.locks - lowest : shape_.locks;
      if (budget >= 3 && choices > 0 && dice_.percent(55)) {
        const std::uint32_t lock = (shape_.ordered_locks ? lowest : 0) + dice_.below(choices);
        const std::uint32_t inside = 1 + dice_.below(budget - 2);
        if (held(lock)) continue;
        held_.push_back(lock);
        emit(Kind::kAcquire, lock);
        body(inside, lock + 1);
        emit(Kind::kRelease, lock);
        held_.pop_back();
        budget -= inside + 2;
      } else {
        access();
        --budget;
      }
    }
  }
  bool held(std::uint32_t lock) const {
    return std::find(held_.begin(), held_.end(), lock) != held_.end();
  }

  // A release changes places with the event behind it, unless that needs the lock or ends the
  // block.
  void delay_releases(std::vector<Code>& program) {
    for (Code& code : program) {
      for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        const Event& next = code[i + 1];
        const bool free = next.kind == Kind::kRead || next.kind == Kind::kWrite ||
                          ((next.kind == Kind::kAcquire || next.kind == Kind::kRelease) &&
                           next.object != code[i].object);
        if (code[i].kind == Kind::kRelease && free && dice_.percent(40)) {
          std::swap(code[i], code[i + 1]);
        }
      }
    }
  }

  // Thread 0 forks some others somewhere, and joins some of them later.
  void add_forks(std::vector<Code>& program) {
    Code& main = program[0];
    for (std::uint32_t t = 1; t < program.size(); ++t) {
      const auto at =
          static_cast<std::size_t>(dice_.below(static_cast<std::uint32_t>(main.size() + 1)));
      const bool forked = dice_.percent(70);
      if (forked) main.insert(main.begin() + static_cast<std::ptrdiff_t>(at), {Kind::kFork, 0, t});
      if (!dice_.percent(50)) continue;
      const std::size_t first = forked ? at + 1 : 0;
      const std::size_t join =
          first + dice_.below(static_cast<std::uint32_t>(main.size() - first + 1));
      main.insert(main.begin() + static_cast<std::ptrdiff_t>(join), {Kind::kJoin, 0, t});
    }
  }

  Dice dice_;
  RecordingShape shape_;
  Code* code_ = nullptr;
  std::uint16_t thread_ = 0;
  std::vector<std::uint32_t> held_;
};

// One random interleaving; nothing if it got stuck.
std::optional<Code> run(const std::vector<Code>& program, std::uint32_t locks, Dice& dice) {
  std::vector<std::size_t> next(program.size(), 0);
  std::vector<bool> held(locks, false), started(program.size(), true);
  for (const Event& e : program[0]) {
    if (e.kind == Kind::kFork) started[e.object] = false;
  }
  Code trace;
  for (;;) {
    std::vector<std::size_t> ready;
    bool left = false;
    for (std::size_t t = 0; t < program.size(); ++t) {
      if (next[t] == program[t].size()) continue;
      left = true;
      const Event& e = program[t][next[t]];
      if (!started[t] || (e.kind == Kind::kAcquire && held[e.object])) continue;
      if (e.kind == Kind::kJoin && next[e.object] < program[e.object].size()) continue;
      ready.push_back(t);
    }
    if (!left) return trace;
    if (ready.empty()) return std::nullopt;
    const std::size_t t = ready[dice.below(static_cast<std::uint32_t>(ready.size()))];
    const Event& e = program[t][next[t]++];
    if (e.kind == Kind::kAcquire) held[e.object] = true;
    if (e.kind == Kind::kRelease) held[e.object] = false;
    if (e.kind == Kind::kFork) started[e.object] = true;
    trace.push_back(e);
  }
}

}  // namespace

Trace random_recording(std::uint64_t seed, const RecordingShape& shape) {
  Trace trace;
  const auto fill = [](support::Interner& space, const char* prefix, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) space.intern(fmt::format("{}{}", prefix, i));
  };
  fill(trace.names.threads, "T", shape.threads);
  fill(trace.names.variables, "x", shape.variables);
  fill(trace.names.locks, "m", shape.locks);
  fill(trace.names.labels, "b", 2);
  Dice dice(seed ^ 0x5eedull);
  for (std::uint64_t attempt = 0;; ++attempt) {
    const auto program = Writer(seed + (attempt << 40), shape).write();
    for (int i = 0; i < 4; ++i) {
      auto events = run(program, shape.locks, dice);
      if (!events) continue;
      trace.events = std::move(*events);
      WellFormed checker;
      CHECK(!checker.check(trace.events, trace.names));
      return trace;
    }
  }
}

RecordingShape random_recording_shape(std::uint64_t seed) {
  Dice dice(seed ^ 0xabcdull);
  RecordingShape shape;
  shape.threads = 2 + dice.below(2);
  shape.transactions = 1 + dice.below(2);
  shape.operations = 5 + dice.below(8);
  shape.variables = 1 + dice.below(3);
  shape.locks = dice.below(4);
  shape.outside = dice.percent(40);
  return shape;
}

}  // namespace omnium::test
