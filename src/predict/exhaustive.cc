// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/exhaustive.h"

#include <algorithm>
#include <bit>

#include "event/lowering.h"
#include "support/check.h"

namespace omnium::predict {

namespace {

constexpr std::uint64_t bit(std::size_t event) { return std::uint64_t{1} << event; }

template <class Visit>
void for_each_bit(std::uint64_t mask, Visit&& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

// Cuts an interleaving into transactions: for each event the first event of its part, both as
// places in the interleaving.
class Parts {
 public:
  void grow(const Extent& extent) { threads_.resize(extent.threads); }
  void at(EventIndex now) { now_ = now; }
  void on_read(ThreadId, VarId) {}
  void on_write(ThreadId, VarId) {}
  void on_acquire(ThreadId, LockId) {}
  void on_release(ThreadId, LockId) {}
  void on_fork(ThreadId, ThreadId) {}
  void on_join(ThreadId, ThreadId) {}
  void on_begin(ThreadId t, LabelId) {
    if (threads_[t.v].depth++ == 0) threads_[t.v].first = now_;
  }
  void on_end(ThreadId t) { --threads_[t.v].depth; }

  // Of an event that was just fed.
  std::size_t first(const Event& event) const {
    const Thread& thread = threads_[event.thread_id];
    return thread.depth > 0 || event.kind == Kind::kEnd ? thread.first : now_;
  }

 private:
  struct Thread {
    std::size_t depth = 0;
    std::size_t first = 0;
  };
  std::size_t now_ = 0;
  std::vector<Thread> threads_;
};

bool is_lock_event(Kind kind) {
  return takes_lock(kind) || gives_lock_back(kind) || kind == Kind::kBusy;
}

}  // namespace

Exhaustive::Exhaustive(const Recording& recording, Waits waits)
    : recording_(recording), waits_(waits), machine_(recording) {
  CHECK(recording.size() <= kMostEvents);
  for (std::uint32_t t = 0; t < recording.extent().threads; ++t) {
    if (!recording.of_thread(t).empty()) threads_.push_back(t);
  }
  find_blocks();
  find_relations();
}

void Exhaustive::find_blocks() {
  for (const std::uint32_t t : threads_) {
    std::size_t depth = 0;
    std::uint32_t begin = 0;
    for (const std::uint32_t event : recording_.of_thread(t)) {
      const Kind kind = recording_[event].kind;
      if (kind == Kind::kBegin && depth++ == 0) begin = event;
      block_of_[event] = static_cast<std::uint8_t>(depth > 0 ? begin : event);
      if (kind == Kind::kEnd) --depth;
    }
  }
}

void Exhaustive::find_relations() {
  for (std::size_t a = 0; a < recording_.size(); ++a) {
    for (std::size_t b = 0; b < recording_.size(); ++b) {
      if (recording_[a].thread_id == recording_[b].thread_id) continue;
      if (conflict(b, a)) conflicts_[a] |= bit(b);
      if (dependent(a, b) || dependent(b, a)) dependent_[a] |= bit(b);
    }
  }
}

// As docs/semantics.md#conflicts-and-order has it with data conflicts, a before b.
bool Exhaustive::conflict(std::size_t a, std::size_t b) const {
  const Event& e = recording_[a];
  const Event& f = recording_[b];
  if (is_access(e.kind) && is_access(f.kind)) {
    return e.object == f.object && (is_write(e.kind) || is_write(f.kind));
  }
  if (f.kind == Kind::kSkip || e.kind == Kind::kSkip) return false;
  if (e.kind == Kind::kFork && e.object == f.thread_id) return true;
  if (f.kind == Kind::kJoin && f.object == e.thread_id) return true;
  if (e.kind == Kind::kFork && f.kind == Kind::kJoin) return e.object == f.object;
  return e.kind == Kind::kSignal && f.kind == Kind::kAwait && e.object == f.object;
}

// Whether the order of the two may change what is admissible, or how it is judged.
bool Exhaustive::dependent(std::size_t a, std::size_t b) const {
  const Event& e = recording_[a];
  const Event& f = recording_[b];
  if (conflict(a, b) || cuts_differ(a, b)) return true;
  if (is_lock_event(e.kind) && is_lock_event(f.kind) && e.object == f.object) {
    return !(is_shared_side(e.kind) && is_shared_side(f.kind));
  }
  // What is skipped still has to wait for the fork, and the join for it.
  if (e.kind == Kind::kFork && e.object == f.thread_id) return true;
  if (f.kind == Kind::kJoin && f.object == e.thread_id) return true;
  const auto is_before = [&](std::span<const std::uint32_t> events) {
    return std::ranges::find(events, static_cast<std::uint32_t>(a)) != events.end();
  };
  if (f.kind != Kind::kSignal) return false;
  return is_before(recording_.waits_ended_by(b)) || is_before(recording_.signals_before(b));
}

// Whether the order of a, in a block, and b may decide where the block is cut: b is a signal, or an
// event of a thread, that the block waits for behind a; or b notices what the block did before the
// failed attempt a.
bool Exhaustive::cuts_differ(std::size_t a, std::size_t b) const {
  const Event& e = recording_[a];
  const Event& f = recording_[b];
  const auto mine = recording_.of_thread(e.thread_id);
  return std::ranges::any_of(mine, [&](std::uint32_t other) {
    if (block_of_[other] != block_of_[a]) return false;
    const Event& own = recording_[other];
    if (e.kind == Kind::kRetry && other < a && (conflict(other, b) || conflict(b, other))) {
      return true;
    }
    if (other < a) return false;
    if (own.kind == Kind::kAwait && f.kind == Kind::kSignal) return own.object == f.object;
    return own.kind == Kind::kJoin && own.object == f.thread_id;
  });
}

bool Exhaustive::run(Reads reads, std::uint64_t& budget,
                     const std::function<bool(const Unserializable&)>& found) {
  machine_.start(0, reads);
  happened_ = reported_ = 0;
  reported_cycle_ = stopped_ = false;
  complete_ = true;
  budget_ = budget;
  found_ = &found;
  reach_.assign(1, {});
  cyclic_.assign(1, false);
  explore(0);
  budget = budget_;
  return complete_;
}

void Exhaustive::explore(Mask sleep) {
  for (const std::uint32_t t : threads_) {
    const Admissible::Next next = machine_.next(t);
    if (next.step != Admissible::Step::kReady && next.step != Admissible::Step::kLast) continue;
    const std::size_t event = machine_.next_event(t);
    if ((sleep & bit(event)) != 0) continue;
    if (budget_ == 0) {
      complete_ = false;
      stopped_ = true;
    }
    if (stopped_) return;
    --budget_;
    machine_.step(t, next.step);
    enter(event);
    if (cyclic_.back()) judge();
    if (!stopped_) explore(sleep & ~dependent_[event]);
    happened_ &= ~bit(event);
    reach_.pop_back();
    cyclic_.pop_back();
    machine_.undo();
    sleep |= bit(event);
  }
}

// What the event depends on, and what that means for whole blocks: as long as these are not on a
// cycle, their parts are not either.
void Exhaustive::enter(std::size_t event) {
  reach_.push_back(reach_.back());
  cyclic_.push_back(cyclic_.back());
  Masks& reach = reach_.back();
  const std::size_t to = block_of_[event];
  Mask sources = conflicts_[event] & happened_;
  const auto order = machine_.order();
  for (std::size_t i = order.size() - 1; i-- > 0;) {
    if (recording_[order[i]].thread_id != recording_[event].thread_id) continue;
    sources |= bit(order[i]);
    break;
  }
  before_[event] = bit(event);
  for_each_bit(sources, [&](std::size_t source) {
    before_[event] |= before_[source];
    const std::size_t from = block_of_[source];
    if (from == to) return;
    const Mask targets = reach[to] | bit(to);
    if ((targets & bit(from)) != 0) cyclic_.back() = true;
    for (std::size_t block = 0; block < recording_.size(); ++block) {
      if (block == from || (reach[block] & bit(from)) != 0) reach[block] |= targets;
    }
  });
  happened_ |= bit(event);
}

// By definition, with the parts that this interleaving cuts.
void Exhaustive::judge() {
  const auto order = machine_.order();
  Parts parts;
  Lowering lowering({Conflicts::kData, waits_}, true);
  lowering.grow(recording_.extent(), parts);
  std::vector<std::size_t> part_of(recording_.size());  // the first event of an event's part
  for (std::size_t i = 0; i < order.size(); ++i) {
    lowering.feed(recording_[order[i]], i, parts);
    part_of[order[i]] = order[parts.first(recording_[order[i]])];
  }
  if (!report_violated(part_of) && !reported_cycle_) report_cycle(part_of);
}

BlockRef Exhaustive::part(std::size_t event, std::size_t first) const {
  const std::size_t begin = block_of_[event];
  const bool block = recording_[begin].kind == Kind::kBegin;
  return {recording_[event].thread(), block ? recording_[begin].label() : LabelId::none(), first};
}

void Exhaustive::report(Unserializable found) {
  found.order.assign(machine_.order().begin(), machine_.order().end());
  if (!(*found_)(found)) stopped_ = true;
}

// Whether some transaction is violated.
bool Exhaustive::report_violated(const std::vector<std::size_t>& part_of) {
  bool violated = false;
  for (const EventIndex event : machine_.order()) {
    const std::size_t first = part_of[event];
    const BlockRef transaction = part(event, first);
    if (transaction.label.is_none()) continue;
    bool interrupted = false;
    for_each_bit(before_[event], [&](std::size_t other) {
      interrupted |= part_of[other] != first && (before_[other] & bit(first)) != 0;
    });
    violated |= interrupted;
    if (!interrupted || (reported_ & bit(first)) != 0) continue;
    reported_ |= bit(first);
    report({transaction, part(event, block_of_[event]), false, {}});
  }
  return violated;
}

void Exhaustive::report_cycle(const std::vector<std::size_t>& part_of) {
  Masks reach{};
  for_each_bit(happened_, [&](std::size_t event) {
    for_each_bit(before_[event], [&](std::size_t source) {
      if (part_of[source] != part_of[event]) reach[part_of[source]] |= bit(part_of[event]);
    });
  });
  for (std::size_t k = 0; k < recording_.size(); ++k) {
    for (std::size_t i = 0; i < recording_.size(); ++i) {
      if ((reach[i] & bit(k)) != 0) reach[i] |= reach[k];
    }
  }
  for_each_bit(happened_, [&](std::size_t event) {
    const BlockRef transaction = part(event, part_of[event]);
    if (reported_cycle_ || transaction.label.is_none()) return;
    if ((reach[part_of[event]] & bit(part_of[event])) == 0) return;
    reported_cycle_ = true;
    report({transaction, part(event, block_of_[event]), true, {}});
  });
}

}  // namespace omnium::predict
