// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// random: everything at once: nested blocks, several and re-entrant locks, work outside, threads
// that are forked in blocks, end, and are joined in blocks.
//
//   T0: begin(b0) acq(m1) begin(b2) acq(m0) acq(m1) r(x2) rel(m1) fork(T4) rel(m1) end rel(m0) end
//
// Half of the threads run from the start; the others are forked over the length of the trace, and
// for each fork one thread ends and is joined.
//
// Serializable by POINTS (family.h): a script is written in two phases. In the first it joins,
// takes locks, and touches variables of the locks it has; in the second it forks and gives locks
// back. The point is where the phases meet: what came by locks and joins came before, what goes by
// locks and forks goes after. Inner acquires and releases of a held lock mean nothing. x0 is never
// written.
#include "workload/family.h"
#include "workload/guarded.h"

#include <array>
#include <numeric>
#include <vector>

namespace omnium::workload {
namespace {

constexpr std::uint32_t kLabels = 4;
constexpr std::uint32_t kMostLocks = 3;
constexpr std::uint32_t kNobody = ~std::uint32_t{0};

class Random final : public Family {
 public:
  explicit Random(const WorkloadOptions& options)
      : Family(options, std::min(options.locks, options.variables - 1)),
        shared_(1, options.variables - 1, options.locks),
        next_fork_(std::max(2u, options.threads / 2)),
        fork_distance_(options.events / (options.threads + 1)),
        forking_(options.threads, kNobody),
        active_(next_fork_) {
    std::iota(active_.begin(), active_.end(), 0u);
  }

  Run next_run(Dice& dice) override {
    const std::uint32_t at = dice.below(static_cast<std::uint32_t>(active_.size()));
    return {active_[at], run_length(dice)};
  }

  void write(std::uint32_t thread, Script& script, Dice& dice) override {
    if (forking_[thread] != kNobody) {  // its fork has been played
      active_.push_back(forking_[thread]);
      forking_[thread] = kNobody;
    }
    if (to_end_ > 0 && active_.size() > 2 && may_end(thread)) return end_thread(thread);
    held_ = 0;
    depth_ = 0;
    const bool block = dice.below(8) != 0;
    if (block) begin(script, dice);
    first_phase(script, dice);
    second_phase(thread, script, dice);
    while (depth_ > 0) end(script);
    written_ += script.size();
  }

  // Any two threads that run.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> planters() const override {
    return std::pair{active_[0], active_[1]};
  }

 private:
  // At most 1 begin, 1 join, 3 locks of 1 acquire, 2 accesses, 1 nested begin, and 2 inner
  // operations.
  void first_phase(Script& script, Dice& dice) {
    if (!ended_.empty()) {
      script.join(ended_.back());
      ended_.pop_back();
    }
    const std::uint32_t locks = locks_.size() == 0 ? 0 : 1 + dice.below(kMostLocks);
    for (std::uint32_t i = 0; i < locks; ++i) {
      const std::uint32_t m = locks_.reserve_any(dice);
      if (m == LockPool::kNone) continue;
      if (depth_ > 0 && depth_ < 3 && dice.below(3) == 0) begin(script, dice);
      script.acquire(m);
      shared_.access(script, m, dice.below(3), dice);
      held_locks_[held_++] = m;
    }
    if (held_ == 0) {
      script.read(0);
    } else if (dice.below(3) == 0) {
      const std::uint32_t again = held_locks_[dice.below(held_)];
      locks_.reserve(again);
      script.acquire(again);
      shared_.access(script, held_locks_[dice.below(held_)], 1, dice);
      script.release(again);
    }
  }

  // At most 1 fork, 3 locks of 1 access and 1 release, and the ends.
  void second_phase(std::uint32_t thread, Script& script, Dice& dice) {
    if (next_fork_ < threads_ && written_ >= forks_ * fork_distance_) {
      script.fork(next_fork_);
      forking_[thread] = next_fork_++;
      ++forks_;
      ++to_end_;
    }
    while (held_ > 0) {
      if (depth_ > 1 && dice.below(2) == 0) end(script);
      const std::uint32_t at = dice.below(held_);
      const std::uint32_t m = held_locks_[at];
      if (dice.below(2) == 0) shared_.access(script, m, 1, dice);
      script.release(m);
      held_locks_[at] = held_locks_[--held_];
    }
  }

  void begin(Script& script, Dice& dice) {
    labels_[depth_] = dice.below(kLabels);
    script.begin(labels_[depth_++]);
  }
  void end(Script& script) { script.end(labels_[--depth_]); }

  // T0 stays, as a main thread does.
  bool may_end(std::uint32_t thread) const { return thread != 0; }

  // Leaves an empty script: whoever writes next joins the thread.
  void end_thread(std::uint32_t thread) {
    for (std::uint32_t& active : active_) {
      if (active != thread) continue;
      active = active_.back();
      active_.pop_back();
      break;
    }
    ended_.push_back(thread);
    --to_end_;
  }

  Guarded shared_;
  std::uint32_t next_fork_;             // threads from here on have not been forked
  std::uint64_t fork_distance_;         // events between forks
  std::vector<std::uint32_t> forking_;  // per thread: whom its script forks
  std::vector<std::uint32_t> active_;   // threads that run
  std::vector<std::uint32_t> ended_;    // threads that are to be joined
  std::uint32_t to_end_ = 0;            // threads that ought to end
  std::uint64_t forks_ = 0;
  std::uint64_t written_ = 0;
  // The script being written:
  std::uint32_t depth_ = 0;
  std::array<std::uint32_t, 4> labels_{};
  std::uint32_t held_ = 0;
  std::array<std::uint32_t, kMostLocks> held_locks_{};
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 2, options.threads)) return wrong;
  return at_least("variables", 1, options.variables);
}

}  // namespace

const FamilyEntry kRandom = {
    {"random", "nested blocks, re-entrant locks, fork and join, all mixed"},
    "b0 b1 b2 b3",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<Random>(options);
    },
};

}  // namespace omnium::workload
