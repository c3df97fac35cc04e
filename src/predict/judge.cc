// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/judge.h"

#include "event/lowering.h"

namespace omnium::predict {

namespace {

// Follows what depends on the first event of the open part of one thread.
class Follower {
 public:
  Follower(ThreadId thread, std::span<const EventIndex> order) : mine_(thread), order_(order) {}

  void grow(const Extent& extent) {
    variables_.resize(extent.variables);
    locks_.resize(extent.locks);
    threads_.resize(extent.threads);
  }
  void at(EventIndex now) { now_ = now; }

  void on_read(ThreadId t, VarId x) {
    Variable& variable = fresh(variables_[x.v]);
    const bool after_others = variable.written_by_others;
    const bool after = after_others || variable.written_by_me;
    if (touch(t, after_others, after))
      (t == mine_ ? variable.read_by_me : variable.read_by_others) = true;
  }
  void on_write(ThreadId t, VarId x) {
    Variable& variable = fresh(variables_[x.v]);
    const bool after_others = variable.written_by_others || variable.read_by_others;
    const bool after = after_others || variable.written_by_me || variable.read_by_me;
    if (touch(t, after_others, after)) {
      (t == mine_ ? variable.written_by_me : variable.written_by_others) = true;
    }
  }
  // Locks are signals here: only one thread releases each of them.
  void on_acquire(ThreadId t, LockId m) {
    const Lock& lock = fresh(locks_[m.v]);
    touch(t, lock.released && lock.by != mine_, lock.released);
  }
  void on_release(ThreadId t, LockId m) {
    Lock& lock = fresh(locks_[m.v]);
    if (touch(t, false, false)) lock = {stamp_, true, t};
  }
  void on_fork(ThreadId t, ThreadId child) {
    if (touch(t, false, false)) fresh(threads_[child.v]).follows = true;
  }
  void on_join(ThreadId t, ThreadId child) {
    const Thread& joined = fresh(threads_[child.v]);
    touch(t, joined.acted, joined.follows);
  }
  void on_begin(ThreadId t, LabelId label) {
    if (t != mine_) {
      touch(t, false, false);
    } else if (depth_++ == 0) {
      ++stamp_;
      whole_ = started_;
      part_ = {mine_, label, order_.empty() ? kNoEvent : order_[now_]};
    }
  }
  void on_end(ThreadId t) {
    if (t == mine_) {
      --depth_;
    } else {
      touch(t, false, false);
    }
  }

  // What was fed so far came before the order.
  void start() { started_ = true; }
  const std::optional<Judgement>& judgement() const { return judgement_; }

 private:
  struct Variable {
    std::uint64_t stamp = 0;
    bool written_by_me = false, read_by_me = false;
    bool written_by_others = false, read_by_others = false;
  };
  struct Lock {
    std::uint64_t stamp = 0;
    bool released = false;
    ThreadId by;
  };
  struct Thread {
    std::uint64_t stamp = 0;
    bool follows = false;  // the part's first event, in what it does next
    bool acted = false;    // it did something that follows
  };

  // What belongs to an older part counts no more.
  template <class State>
  State& fresh(State& state) const {
    if (state.stamp != stamp_) {
      state = {};
      state.stamp = stamp_;
    }
    return state;
  }
  // An event of t; `after_others` and `after`: it depends on what follows the part's first event,
  // done by other threads, or by anybody. Says whether the event itself follows.
  bool touch(ThreadId t, bool after_others, bool after) {
    if (t == mine_) {
      if (depth_ > 0 && whole_ && after_others && !judgement_) judgement_ = {part_, order_[now_]};
      return depth_ > 0;
    }
    Thread& thread = fresh(threads_[t.v]);
    thread.follows |= after;
    thread.acted |= thread.follows;
    return thread.follows;
  }

  ThreadId mine_;
  std::span<const EventIndex> order_;
  EventIndex now_ = 0;
  std::uint64_t stamp_ = 1;
  std::size_t depth_ = 0;
  bool started_ = false;
  bool whole_ = false;  // the open part began in the order
  BlockRef part_;
  std::vector<Variable> variables_;
  std::vector<Lock> locks_;
  std::vector<Thread> threads_;
  std::optional<Judgement> judgement_;
};

// Small numbers for the ids of a few events.
class Renumbering {
 public:
  std::uint32_t operator()(std::uint32_t id) {
    return numbers_.emplace(id, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }

 private:
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
};

// The events with ids that are dense among them.
struct DenseEvents {
  std::vector<Event> events;
  Renumbering threads, variables, locks, signals;

  void add(Event event) {
    event.thread_id = static_cast<std::uint16_t>(threads(event.thread_id));
    if (is_access(event.kind)) {
      event.object = variables(event.object);
    } else if (event.kind == Kind::kSignal || event.kind == Kind::kAwait) {
      event.object = signals(event.object);
    } else if (event.kind == Kind::kFork || event.kind == Kind::kJoin) {
      event.object = threads(event.object);
    } else if (is_lock_operation(event.kind)) {
      event.object = locks(event.object);
    }
    events.push_back(event);
  }
  Extent extent() const {
    return {threads.size(), variables.size(), locks.size(), 0, signals.size()};
  }
};

}  // namespace

std::optional<Judgement> Judge::violated(std::span<const EventIndex> order, ThreadId thread,
                                         std::span<const LabelId> open) const {
  DenseEvents dense;
  const ThreadId mine{dense.threads(thread.v)};
  for (const EventIndex index : order) dense.add(events_[index]);
  Follower follower(mine, order);
  Lowering lowering({Conflicts::kData, waits_}, true);
  lowering.grow(dense.extent(), follower);
  // Of the part that is open already nobody knows what it did before.
  for (const LabelId label : open) {
    lowering.feed({Kind::kBegin, static_cast<std::uint16_t>(mine.v), label.v}, 0, follower);
  }
  follower.start();
  for (EventIndex i = 0; i < dense.events.size(); ++i) {
    lowering.feed(dense.events[i], i, follower);
    if (follower.judgement()) break;
  }
  if (!follower.judgement()) return std::nullopt;
  Judgement found = *follower.judgement();
  found.transaction.thread = thread;
  return found;
}

}  // namespace omnium::predict
