// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/explorer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "model/expander.h"
#include "model/levels.h"
#include "model/path.h"
#include "model/visited.h"
#include "model/workers.h"

namespace omnium::model {

namespace {

using Bytes = std::vector<std::byte>;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kStretch = 512;     // states per piece of work
constexpr std::uint64_t kSmallLevel = 512;  // not worth a second worker
constexpr std::size_t kBuckets = Stepper::kMostEvents;
constexpr std::size_t kPrefetch = 8;  // states ahead

// Where the search can stop: a violation or fault `distance` events from the beginning.
struct Finding {
  std::uint64_t distance;
  bool is_fault;
  std::size_t level;
  Bytes state;  // the move starts here
  std::uint32_t thread;
  std::vector<RunEvent> move;
  Fault fault;

  // Least distance first; a violation is real whatever else the model does wrong.
  auto rank() const { return std::tie(distance, is_fault, level, state, thread); }
};

// States that wait for their level, with their hashes, by the worker whose shards they belong to.
using Bucket = std::vector<Bytes>;

class Worker final : public SuccessorSink {
 public:
  Worker(const Space& space, Visited& visited, std::uint32_t workers);

  void expand(const std::byte* state, std::size_t level);
  // What this worker has for `level` and `owner` goes into `target`; by one thread per owner.
  void drain(std::size_t level, std::size_t owner, Visited& target);
  bool has(std::size_t level, std::size_t owner) const {
    return !buckets_[level % kBuckets][owner].empty();
  }
  std::uint64_t waiting_bytes() const { return waiting_bytes_.load(std::memory_order_relaxed); }

  std::uint64_t transitions() const { return transitions_; }
  const std::optional<Finding>& finding() const { return finding_; }
  const std::optional<Finding>& deadlock() const { return deadlock_; }
  ThreadSet stuck() const { return stuck_; }

 private:
  void successor(std::uint32_t t, const std::byte* state,
                 const std::vector<RunEvent>& events) override;
  void violation(std::uint32_t t, const std::vector<RunEvent>& events) override;
  void fault(std::uint32_t t, const Fault& fault, const std::vector<RunEvent>& events) override;
  void keep(std::uint32_t t, const std::vector<RunEvent>& events, const Fault* fault);
  void keep_deadlock(ThreadSet stuck);
  Bytes state_here() const { return {state_, state_ + expander_.state_bytes()}; }

  Expander expander_;
  Visited& visited_;
  std::array<Bucket, kBuckets> buckets_;  // by level
  std::atomic<std::uint64_t> waiting_bytes_{0};
  const std::byte* state_ = nullptr;
  std::size_t level_ = 0;
  std::uint64_t transitions_ = 0;
  std::optional<Finding> finding_;
  std::optional<Finding> deadlock_;
  ThreadSet stuck_ = 0;
};

void Worker::expand(const std::byte* state, std::size_t level) {
  state_ = state;
  level_ = level;
  const ThreadSet stuck = expander_.expand(state, *this);
  if (stuck != 0) keep_deadlock(stuck);
}

Worker::Worker(const Space& space, Visited& visited, std::uint32_t workers)
    : expander_(space), visited_(visited) {
  for (Bucket& bucket : buckets_) bucket.resize(workers);
}

// The visited set does not change while states are expanded, so the look needs no lock. Two states
// of the next level may be equal and wait both.
void Worker::successor(std::uint32_t, const std::byte* state, const std::vector<RunEvent>& events) {
  ++transitions_;
  const std::uint64_t hash = visited_.hash_of(state);
  if (visited_.contains(state, hash)) return;
  Bucket& bucket = buckets_[(level_ + events.size()) % kBuckets];
  Bytes& bytes = bucket[Visited::shard_of(hash) % bucket.size()];
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof hash + expander_.state_bytes());
  std::memcpy(bytes.data() + at, &hash, sizeof hash);
  std::memcpy(bytes.data() + at + sizeof hash, state, expander_.state_bytes());
  waiting_bytes_.fetch_add(sizeof hash + expander_.state_bytes(), std::memory_order_relaxed);
}

void Worker::drain(std::size_t level, std::size_t owner, Visited& target) {
  Bytes& bytes = buckets_[level % kBuckets][owner];
  const std::size_t record = sizeof(std::uint64_t) + expander_.state_bytes();
  const auto hash_at = [&](std::size_t at) {
    std::uint64_t hash = 0;
    std::memcpy(&hash, bytes.data() + at, sizeof hash);
    return hash;
  };
  for (std::size_t at = 0; at < bytes.size(); at += record) {
    const std::size_t soon = at + kPrefetch * record;
    if (soon < bytes.size()) target.prefetch(hash_at(soon));
    target.insert(bytes.data() + at + sizeof(std::uint64_t), hash_at(at));
  }
  waiting_bytes_.fetch_sub(bytes.size(), std::memory_order_relaxed);
  bytes = Bytes();
}

void Worker::keep(std::uint32_t t, const std::vector<RunEvent>& events, const Fault* fault) {
  ++transitions_;
  Finding found{level_ + events.size(), fault != nullptr, level_, state_here(), t, events, {}};
  if (fault != nullptr) found.fault = *fault;
  if (!finding_ || found.rank() < finding_->rank()) finding_ = std::move(found);
}

void Worker::violation(std::uint32_t t, const std::vector<RunEvent>& events) {
  keep(t, events, nullptr);
}

void Worker::fault(std::uint32_t t, const Fault& fault, const std::vector<RunEvent>& events) {
  keep(t, events, &fault);
}

void Worker::keep_deadlock(ThreadSet stuck) {
  Finding found{level_, false, level_, state_here(), 0, {}, {}};
  if (deadlock_ && deadlock_->rank() <= found.rank()) return;
  deadlock_ = std::move(found);
  stuck_ = stuck;
}

class Explorer {
 public:
  Explorer(const Model& model, const Options& options)
      : space_(model, options.mode, options.symmetry, options.reduction),
        options_(options),
        started_(Clock::now()) {}

  Result<Outcome> run();

 private:
  void search();
  template <class Work>
  void for_each_owner(Work&& work);
  void drain(std::size_t level);
  void settle(std::size_t level);
  void expand(std::size_t level);
  bool level_is_last(std::size_t level) const;
  bool over_limit();
  void show_progress(std::size_t level, std::size_t left);
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
  std::uint64_t waiting_bytes() const;
  std::uint64_t later_bytes() const;
  std::uint64_t memory() const { return visited_->bytes() + waiting_bytes() + later_bytes(); }
  void judge();
  void describe_deadlock();
  const Finding* best() const;

  Space space_;
  const Options& options_;
  Clock::time_point started_;
  std::unique_ptr<Visited> visited_;
  std::vector<std::unique_ptr<Worker>> workers_;
  // Per owner and level: states that wait for it, once each, if too many wait.
  std::vector<std::array<std::unique_ptr<Visited>, kBuckets>> later_;
  Levels levels_;
  std::atomic<bool> gave_up_{false};
  Clock::time_point shown_ = started_;
  Outcome outcome_;
};

const Finding* Explorer::best() const {
  const Finding* best = nullptr;
  for (const auto& worker : workers_) {
    const auto& found = worker->finding();
    if (found && (best == nullptr || found->rank() < best->rank())) best = &*found;
  }
  return best;
}

std::uint64_t Explorer::waiting_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->waiting_bytes();
  return sum;
}

std::uint64_t Explorer::later_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& levels : later_) {
    for (const auto& level : levels) sum += level == nullptr ? 0 : level->bytes();
  }
  return sum;
}

bool Explorer::over_limit() {
  const bool over = (options_.max_states != 0 && visited_->size() > options_.max_states) ||
                    (options_.max_memory != 0 && memory() > options_.max_memory);
  if (over) gave_up_ = true;
  return over;
}

void Explorer::show_progress(std::size_t level, std::size_t left) {
  const auto now = Clock::now();
  if (!options_.progress || now - shown_ < std::chrono::milliseconds(500)) return;
  shown_ = now;
  options_.progress({visited_->size(), left * kStretch, level, seconds()});
}

// For every owner of shards, by one thread each.
template <class Work>
void Explorer::for_each_owner(Work&& work) {
  const std::size_t owners = workers_.size();
  const bool small = waiting_bytes() < kSmallLevel * outcome_.state_bytes;
  share(small ? 1 : static_cast<std::uint32_t>(owners), owners,
        [&](std::uint32_t, std::size_t owner) {
          work(owner);
          return true;
        });
}

// Everything that waits for this level goes into the visited set.
void Explorer::drain(std::size_t level) {
  for_each_owner([&](std::size_t owner) {
    for (const auto& worker : workers_) worker->drain(level, owner, *visited_);
    std::unique_ptr<Visited>& later = later_[owner][level % kBuckets];
    if (later == nullptr) return;
    for (std::uint32_t shard = 0; shard < Visited::kShards; ++shard) {
      for (std::uint32_t i = 0; i < later->size_of(shard); ++i) {
        const std::byte* state = later->state(shard, i);
        visited_->insert(state, visited_->hash_of(state));
      }
    }
    later.reset();
  });
}

// In the middle of a level: what waits is sorted in, so that equal states wait once. States of the
// next level can go where they belong.
void Explorer::settle(std::size_t level) {
  for_each_owner([&](std::size_t owner) {
    for (const auto& worker : workers_) worker->drain(level + 1, owner, *visited_);
    for (std::size_t next = level + 2; next < level + kBuckets; ++next) {
      for (const auto& worker : workers_) {
        if (!worker->has(next, owner)) continue;
        std::unique_ptr<Visited>& later = later_[owner][next % kBuckets];
        if (later == nullptr) later = std::make_unique<Visited>(outcome_.state_bytes);
        worker->drain(next, owner, *later);
      }
    }
  });
}

void Explorer::expand(std::size_t level) {
  const std::vector<Stretch> stretches = levels_.stretches(level, kStretch);
  std::uint64_t states = 0;
  for (const Stretch& stretch : stretches) states += stretch.last - stretch.first;
  const auto workers = states < kSmallLevel ? 1u : static_cast<std::uint32_t>(workers_.size());
  for (std::size_t done = 0; done < stretches.size() && !gave_up_;) {
    done += share(workers, stretches.size() - done, [&](std::uint32_t worker, std::size_t item) {
      const Stretch& stretch = stretches[done + item];
      for (std::uint32_t i = stretch.first; i < stretch.last; ++i) {
        workers_[worker]->expand(visited_->state(stretch.shard, i), level);
      }
      if (worker == 0) show_progress(level, stretches.size() - done - item);
      return waiting_bytes() < options_.round_bytes;
    });
    if (done < stretches.size()) settle(level);
    over_limit();
  }
}

// Nothing waits, or what was found is nearer than anything that is still to come.
bool Explorer::level_is_last(std::size_t level) const {
  const Finding* found = best();
  if (found != nullptr && found->distance <= level) return true;
  const auto stretches = levels_.stretches(level, kStretch);
  return stretches.empty() && waiting_bytes() + later_bytes() == 0;
}

void Explorer::search() {
  for (std::size_t level = 0;; ++level) {
    drain(level);
    levels_.close(*visited_);
    if (level_is_last(level) || gave_up_ || over_limit()) return;
    outcome_.depth = level;
    expand(level);
  }
}

void Explorer::judge() {
  const Finding* found = best();
  if (found == nullptr) {
    outcome_.answer = gave_up_ ? Answer::kUnknown : Answer::kSerializable;
    return;
  }
  // Levels before the last one were explored in full, so nothing is nearer than its successors.
  outcome_.shortest = !gave_up_ || found->distance < levels_.count();
  const Path path = path_to(found->state, found->level, space_, *visited_, levels_,
                            static_cast<std::uint32_t>(workers_.size()));
  outcome_.run = path.events;
  append_renamed(found->move, path.names, outcome_.run);
  outcome_.answer = found->is_fault ? Answer::kBadModel : Answer::kNotSerializable;
  outcome_.fault = found->fault;
}

void Explorer::describe_deadlock() {
  const Worker* first = nullptr;
  for (const auto& worker : workers_) {
    if (!worker->deadlock()) continue;
    const bool nearer = first == nullptr || worker->deadlock()->rank() < first->deadlock()->rank();
    if (nearer) first = worker.get();
  }
  if (first == nullptr) return;
  outcome_.deadlock = true;
  const Path path = path_to(first->deadlock()->state, first->deadlock()->level, space_, *visited_,
                            levels_, static_cast<std::uint32_t>(workers_.size()));
  outcome_.deadlock_run = path.events;
  for (std::uint32_t t = 0; t < space_.layout.threads(); ++t) {
    if ((first->stuck() >> t & 1) != 0) outcome_.stuck.push_back(path.names[t]);
  }
  std::sort(outcome_.stuck.begin(), outcome_.stuck.end());
}

// Where runs start: one state for each choice of first values of variables that have `= *`. The
// first fault, if there is one.
Result<Fault> first_states(const Space& space, std::vector<Bytes>& out) {
  constexpr std::size_t kMostStates = 65'536;
  Expander expander(space);
  const auto& cells = space.model.cells;
  std::vector<std::int32_t> values;
  for (const Range& cell : cells) values.push_back(cell.starts_anyhow ? cell.low : cell.initial);
  for (;;) {
    if (out.size() == kMostStates) {
      return fail({space.model.file},
                  fmt::format("more than {} combinations of first values", kMostStates));
    }
    if (Fault fault = expander.initial(values, out.emplace_back())) return fault;
    // The next combination, as a counter would have it.
    std::size_t i = 0;
    for (; i < cells.size(); ++i) {
      if (!cells[i].starts_anyhow) continue;
      if (values[i]++ < cells[i].high) break;
      values[i] = cells[i].low;
    }
    if (i == cells.size()) return Fault{};
  }
}

Result<Outcome> Explorer::run() {
  if (space_.futures.too_many_objects()) {
    return fail(
        {space_.model.file},
        fmt::format("too many to explore: more than {} variables, locks and channels can conflict",
                    Futures::kMostObjects));
  }
  std::vector<Bytes> firsts;
  const auto fault = first_states(space_, firsts);
  if (!fault) return tl::unexpected(fault.error());
  if (*fault) {
    outcome_.answer = Answer::kBadModel;
    outcome_.fault = *fault;
    return std::move(outcome_);
  }
  visited_ = std::make_unique<Visited>(firsts[0].size());
  const std::uint32_t workers = std::max(1u, options_.workers);
  for (std::uint32_t i = 0; i < workers; ++i) {
    workers_.push_back(std::make_unique<Worker>(space_, *visited_, workers));
  }
  outcome_.state_bytes = firsts[0].size();
  later_.resize(workers);
  for (const Bytes& first : firsts) {
    visited_->insert(first.data(), visited_->hash_of(first.data()));
  }
  search();
  outcome_.states = visited_->size();
  outcome_.memory = memory();
  for (const auto& worker : workers_) outcome_.transitions += worker->transitions();
  judge();
  describe_deadlock();
  outcome_.seconds = seconds();
  return std::move(outcome_);
}

}  // namespace

Result<Outcome> explore(const Model& model, const Options& options) {
  return Explorer(model, options).run();
}

}  // namespace omnium::model
