// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// forkjoin: T0 forks a round of workers, they work, T0 joins them, and the next round is forked.
//
//   T0: fork(T1) fork(T2)                               join(T1) join(T2) fork(T3) ...
//   T1:                   begin(work) ... end   r(x)
//   T2:                     begin(work) ... end
//
// A thread id is used once, so there are as many rounds as ids allow (of up to 16 workers, of equal
// length); the last round takes the ids that are left over (up to 31 workers) and works to the end
// of the trace, where T0 joins it. Workers share variables under locks; without locks they only
// read.
//
// Serializable by POINTS (family.h): blocks are two-phase; forks and joins are outside of blocks,
// and a worker's blocks lie between its fork and its join.
#include "workload/family.h"
#include "workload/guarded.h"

namespace omnium::workload {
namespace {

enum Label : std::uint32_t { kWork };

constexpr std::uint32_t kMostWorkers = 16;
constexpr std::uint64_t kLeastRound = 1024;  // events

class ForkJoin final : public Family {
 public:
  explicit ForkJoin(const WorkloadOptions& options)
      : Family(options, options.locks),
        shared_(1, options.variables - 1, options.locks),
        workers_(std::min(kMostWorkers, (options.threads + 1) / 3)) {
    const std::uint32_t by_threads = std::max(1u, (options.threads - 1) / workers_);
    const std::uint64_t by_events = std::max<std::uint64_t>(1, options.events / kLeastRound);
    rounds_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(by_threads, by_events));
    round_length_ = options.events / rounds_;
    start_round(0);
  }

  Run next_run(Dice& dice) override {
    switch (phase_) {
      case Phase::kFork:
      case Phase::kJoin: return {0, Script::kCapacity};
      case Phase::kWork: return {first_ + dice.below(end_ - first_), run_length(dice)};
      case Phase::kFinish: return {finished_, Script::kCapacity};
    }
    return {0, 1};
  }

  void write(std::uint32_t thread, Script& script, Dice& dice) override {
    switch (phase_) {
      case Phase::kFork: fork(script); break;
      case Phase::kWork: work(script, dice); break;
      case Phase::kFinish: finish(thread); break;
      case Phase::kJoin: join(script); break;
    }
    written_ += script.size();
    const bool last = round_ + 1 == rounds_;
    if (phase_ == Phase::kWork && !last && written_ >= (round_ + 1) * round_length_) {
      phase_ = Phase::kFinish;
      finished_ = first_;
    }
  }

  void write_epilogue(Script& scene) override {
    const std::uint32_t first = first_of(rounds_ - 1);
    for (std::uint32_t worker = first; worker < end_of(rounds_ - 1); ++worker) scene.join(worker);
  }

  std::optional<std::pair<std::uint32_t, std::uint32_t>> planters() const override {
    if (phase_ != Phase::kWork) return std::nullopt;
    return std::pair{first_, 0u};
  }

 private:
  enum class Phase : std::uint8_t { kFork, kWork, kFinish, kJoin };

  std::uint32_t first_of(std::uint32_t round) const { return 1 + round * workers_; }
  std::uint32_t end_of(std::uint32_t round) const {
    const std::uint32_t end = first_of(round + 1);
    return round + 1 == rounds_ ? std::min(threads_, end + workers_ - 1) : end;
  }

  void start_round(std::uint32_t round) {
    round_ = round;
    first_ = first_of(round);
    end_ = end_of(round);
    forked_ = false;
    joined_ = false;
    phase_ = Phase::kFork;
  }

  // Phases of T0 are over when it is asked again: then what it wrote has been played.
  void fork(Script& script) {
    if (forked_) {
      phase_ = Phase::kWork;
      return;
    }
    for (std::uint32_t worker = first_; worker < end_; ++worker) script.fork(worker);
    forked_ = true;
  }

  void join(Script& script) {
    if (joined_) return start_round(round_ + 1);
    for (std::uint32_t worker = first_; worker < end_; ++worker) script.join(worker);
    joined_ = true;
  }

  // A worker is asked only when its script has ended; workers are asked in turn.
  void finish(std::uint32_t worker) {
    finished_ = worker + 1;
    if (finished_ == end_) phase_ = Phase::kJoin;
  }

  void work(Script& script, Dice& dice) {
    const std::uint32_t m = shared_.locks() == 0 ? LockPool::kNone : dice.below(shared_.locks());
    const bool block = dice.below(8) != 0;
    if (block) script.begin(kWork);
    script.read(0);
    if (m != LockPool::kNone && locks_.is_free(m)) {
      locks_.reserve(m);
      script.acquire(m);
      shared_.access(script, m, 2 + dice.below(6), dice);
      script.release(m);
    }
    if (block) script.end(kWork);
  }

  Guarded shared_;
  std::uint32_t workers_;  // per round but the last
  std::uint32_t rounds_ = 1;
  std::uint64_t round_length_ = 0;
  std::uint32_t round_ = 0;
  std::uint32_t first_ = 0, end_ = 0;  // workers of this round
  std::uint32_t finished_ = 0;         // workers below this have ended their scripts
  bool forked_ = false, joined_ = false;
  Phase phase_ = Phase::kFork;
  std::uint64_t written_ = 0;
};

std::optional<std::string> wrong_sizes(const WorkloadOptions& options) {
  if (auto wrong = at_least("threads", 2, options.threads)) return wrong;
  return at_least("variables", 1, options.variables);
}

}  // namespace

const FamilyEntry kForkJoin = {
    {"forkjoin", "rounds of workers that are forked, work and are joined"},
    "work",
    wrong_sizes,
    [](const WorkloadOptions& options) -> std::unique_ptr<Family> {
      return std::make_unique<ForkJoin>(options);
    },
};

}  // namespace omnium::workload
