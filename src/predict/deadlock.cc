// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/deadlock.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "predict/lock_paths.h"

namespace omnium::predict {

namespace {

constexpr std::size_t kMaxCycles = 100;
constexpr std::uint64_t kMaxSteps = 2'000'000;

struct Edge : LockOrder {
  PathId held;  // when the inner lock was asked for
  Period period;
  HeldLock outer_side, inner_side;
  bool is_try;
};

struct Held {
  HeldLock lock;
  EventIndex at;
};

// Every order of two locks in every thread, period and context, once.
class OrderCollector {
 public:
  OrderCollector(const Extent& extent, const ThreadPeriods& periods, std::span<const LockId> tried,
                 LockPaths& paths)
      : periods_(periods),
        tried_(tried),
        paths_(paths),
        threads_(extent.threads),
        edges_(extent.locks) {}

  std::vector<std::vector<Edge>> run(std::span<const Event> events) && {
    for (EventIndex i = 0; i < events.size(); ++i) {
      Thread& thread = threads_[events[i].thread_id];
      switch (events[i].kind) {
        case Kind::kAcquire:
        case Kind::kSharedAcquire:
        case Kind::kResume: acquire(thread, events[i], i); break;
        case Kind::kRelease:
        case Kind::kSharedRelease:
        case Kind::kWait:
          std::erase_if(thread.held,
                        [&](const Held& h) { return lock_of(h.lock) == events[i].lock(); });
          break;
        default: break;
      }
      const bool may_try = events[i].kind == Kind::kSignal && events[i].object < tried_.size();
      thread.tries = may_try ? tried_[events[i].object] : LockId::none();
      if (periods_.ends_after(i)) ++thread.period;
    }
    return std::move(edges_);
  }

 private:
  struct Thread {
    std::vector<Held> held;
    LockId tries = LockId::none();  // with its next event
    Period period = 0;
  };

  void acquire(Thread& thread, const Event& event, EventIndex at) {
    PathId held = kNoLocks;
    for (const Held& each : thread.held) held = paths_.extend(held, each.lock);
    const HeldLock inner = held_lock(event.lock(), is_shared_side(event.kind));
    const bool is_try = thread.tries == event.lock();
    const auto fresh =
        !thread.held.empty() &&
        known_.emplace(held.v, inner.v, event.thread_id, thread.period, is_try).second;
    for (std::size_t i = 0; fresh && i < thread.held.size(); ++i) {
      const Held& outer = thread.held[i];
      edges_[lock_of(outer.lock).v].push_back(
          {{lock_of(outer.lock), event.lock(), event.thread(), outer.at, at},
           held,
           thread.period,
           outer.lock,
           inner,
           is_try});
    }
    thread.held.push_back({inner, at});
  }

  const ThreadPeriods& periods_;
  std::span<const LockId> tried_;  // by signal
  LockPaths& paths_;
  std::vector<Thread> threads_;
  std::vector<std::vector<Edge>> edges_;  // by outer lock
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint16_t, Period, bool>> known_;
};

// Locks that are on some cycle: the strongly connected component of each (Tarjan, by hand because
// recursion would be as deep as there are locks).
class Components {
 public:
  explicit Components(const std::vector<std::vector<Edge>>& edges)
      : edges_(edges), order_(edges.size(), 0), low_(edges.size(), 0), component(edges.size(), 0) {
    for (std::uint32_t lock = 0; lock < edges.size(); ++lock) {
      if (order_[lock] == 0) visit(lock);
    }
  }

 private:
  struct Frame {
    std::uint32_t lock;
    std::size_t next;
  };

  void enter(std::uint32_t lock) {
    order_[lock] = low_[lock] = ++clock_;
    stack_.push_back(lock);
    frames_.push_back({lock, 0});
  }
  void visit(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.next < edges_[frame.lock].size()) {
        const std::uint32_t inner = edges_[frame.lock][frame.next++].inner.v;
        if (order_[inner] == 0) {
          enter(inner);
        } else if (component[inner] == 0) {
          low_[frame.lock] = std::min(low_[frame.lock], order_[inner]);
        }
        continue;
      }
      const std::uint32_t done = frame.lock;
      frames_.pop_back();
      if (!frames_.empty())
        low_[frames_.back().lock] = std::min(low_[frames_.back().lock], low_[done]);
      if (low_[done] == order_[done]) close(done);
    }
  }
  void close(std::uint32_t root) {
    ++components_;
    for (std::uint32_t lock = ~root; lock != root;) {
      lock = stack_.back();
      stack_.pop_back();
      component[lock] = components_;
    }
  }

  const std::vector<std::vector<Edge>>& edges_;
  std::vector<std::uint32_t> order_, low_;
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::uint32_t clock_ = 0;
  std::uint32_t components_ = 0;

 public:
  std::vector<std::uint32_t> component;
};

class CycleFinder {
 public:
  CycleFinder(const std::vector<std::vector<Edge>>& edges, const LockPaths& paths,
              const ThreadPeriods& periods, std::size_t threads)
      : edges_(edges),
        paths_(paths),
        periods_(periods),
        components_(edges),
        longest_(std::min(threads, edges.size())) {}

  DeadlockPotential run() && {
    // Short cycles first: those are what a person can follow.
    for (length_ = 2; length_ <= longest_; ++length_) {
      for (std::uint32_t lock = 0; lock < edges_.size() && result_.complete; ++lock) {
        start_ = lock;
        extend(lock);
      }
    }
    return std::move(result_);
  }

 private:
  // Cycles are found from their smallest lock.
  void extend(std::uint32_t lock) {
    for (const Edge& edge : edges_[lock]) {
      if (result_.cycles.size() >= kMaxCycles || ++steps_ > kMaxSteps) {
        result_.complete = false;
        return;
      }
      if (edge.inner.v < start_ ||
          components_.component[edge.inner.v] != components_.component[start_] || !fits(edge)) {
        continue;
      }
      const bool last = chain_.size() + 1 == length_;
      if (last != (edge.inner.v == start_)) continue;
      // Readers do not block each other.
      if (!chain_.empty() && !exclude(chain_.back()->inner_side, edge.outer_side)) continue;
      if (last && !exclude(edge.inner_side, chain_.front()->outer_side)) continue;
      chain_.push_back(&edge);
      if (last) {
        report();
      } else {
        extend(edge.inner.v);
      }
      chain_.pop_back();
    }
  }
  bool fits(const Edge& edge) const {
    return std::all_of(chain_.begin(), chain_.end(), [&](const Edge* other) {
      return other->inner != edge.inner && other->thread != edge.thread &&
             paths_.outermost_common(edge.held, other->held) == kNoBlock &&
             periods_.concurrent(edge.thread, edge.period, other->thread, other->period);
    });
  }
  void report() {
    if (std::ranges::any_of(chain_, &Edge::is_try)) {
      result_.tries_may_fail = true;
      return;
    }
    std::vector<std::uint32_t> locks;
    for (const Edge* edge : chain_) locks.push_back(edge->outer.v);
    if (!reported_.insert(std::move(locks)).second) return;
    std::vector<LockOrder> cycle;
    for (const Edge* edge : chain_) cycle.push_back(*edge);
    result_.cycles.push_back(std::move(cycle));
  }

  const std::vector<std::vector<Edge>>& edges_;
  const LockPaths& paths_;
  const ThreadPeriods& periods_;
  Components components_;
  std::size_t longest_;  // each edge is of another thread
  std::size_t length_ = 0;
  std::uint32_t start_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<const Edge*> chain_;
  std::set<std::vector<std::uint32_t>> reported_;
  DeadlockPotential result_;
};

}  // namespace

DeadlockPotential find_deadlocks(std::span<const Event> events, const Extent& extent,
                                 const ThreadPeriods& periods, std::span<const LockId> tried) {
  LockPaths paths;
  const auto edges = OrderCollector(extent, periods, tried, paths).run(events);
  return CycleFinder(edges, paths, periods, extent.threads).run();
}

}  // namespace omnium::predict
