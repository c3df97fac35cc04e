// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/summary_graph.h"

#include <algorithm>
#include <bit>

namespace omnium {

void SummaryGraph::grow(const Extent& extent) {
  variables_.grow_to(extent.variables);
  locks_.grow_to(extent.locks);
  threads_.grow_to(extent.threads);
  node_of_.grow_to(extent.threads, kNoSlot);
  group_of_.grow_to(extent.threads);
  groups_.grow_to(generations_.size());
  blocks_.grow_to(extent.threads);
  before_.resize(words_);
}

inline SlotWord* SummaryGraph::scheduled(Action action) {
  switch (action.kind) {
    case ActionKind::kRead: return variables_.set(action.index, 0);
    case ActionKind::kWrite: return variables_.set(action.index, 2);
    case ActionKind::kLock: return locks_.set(action.index);
    case ActionKind::kEnded: return groups_.set(action.index);
    case ActionKind::kThread: break;
  }
  return threads_.set(action.index);
}

void SummaryGraph::self_loop(EventIndex at) {
  ++counts_.self_loops;
  if (!violated_) sink().not_serializable({.closed_at = at, .transactions = {}});
  violated_ = true;
}

// [SCG rule 3, first half] All nodes with a dependent action in S or C come before the event. The
// event's own node does not count if it has the action in S, and is on a cycle if it has it in C.
inline void SummaryGraph::collect(Action dependent, Slot node) {
  const SlotWord* in_s = scheduled(dependent);
  const SlotWord* in_c = in_s + words_;
  if (node != kNoSlot && has_slot(in_c, node)) [[unlikely]]
    self_loop(now());
  for (std::size_t word = 0; word < words_; ++word) before_[word] |= in_s[word] | in_c[word];
}

// The action becomes one of S or C of those `nodes` that have it in neither yet.
inline void SummaryGraph::list(Action action, const SlotWord* nodes) {
  const SlotWord* in_s = scheduled(action);
  const SlotWord* in_c = in_s + words_;
  for (std::size_t word = 0; word < words_; ++word) {
    const SlotWord fresh = nodes[word] & ~(in_s[word] | in_c[word]);
    for_each_slot(fresh, word, [&](Slot node) {
      actions_[node].push_back(action);
      ++counts_.entries;
    });
  }
  counts_.most_entries = std::max(counts_.most_entries, counts_.entries);
}

inline bool SummaryGraph::nothing_before() const {
  return std::all_of(before_.begin(), before_.end(), [](SlotWord word) { return word == 0; });
}

inline void SummaryGraph::forget(Action action, Slot node) {
  SlotWord* in_s = scheduled(action);
  remove_slot(in_s, node);
  remove_slot(in_s + words_, node);
}

// C(v) takes the action, for all v in before_.
inline void SummaryGraph::remember(Action action) {
  list(action, before_.data());
  SlotWord* in_c = conflicting(action);
  for (std::size_t word = 0; word < words_; ++word) in_c[word] |= before_[word];
}

// [SCG rule 3, second half] Edges from before_ to the node.
inline void SummaryGraph::connect(Slot node) {
  SlotWord* predecessors = predecessors_.set(node);
  remove_slot(before_.data(), node);
  for (std::size_t word = 0; word < words_; ++word) {
    const SlotWord fresh = before_[word] & ~predecessors[word];
    if (fresh == 0) continue;
    predecessors[word] |= fresh;
    for_each_slot(fresh, word, [&](Slot from) {
      add_slot(successors_.set(from), node);
      ++counts_.edges_added;
      ++counts_.edges;
    });
    counts_.most_edges = std::max(counts_.most_edges, counts_.edges);
  }
}

inline void SummaryGraph::event(ThreadId t, std::initializer_list<Action> dependent,
                                std::initializer_list<Action> own) {
  if (violated_) return;
  std::fill(before_.begin(), before_.end(), 0);
  const Slot node = node_of_[t];
  for (const Action action : dependent) collect(action, node);
  if (node != kNoSlot) {
    event_in_block(node, own);
  } else {
    unary_event(t, own);
  }
}

// [SCG rule 3] The edges that program order asks for are there since the begin.
inline void SummaryGraph::event_in_block(Slot node, std::initializer_list<Action> own) {
  ++counts_.scheduled;
  connect(node);
  for (const Action action : own) {
    SlotWord* in_s = scheduled(action);
    if (has_slot(in_s, node)) continue;
    if (!has_slot(in_s + words_, node)) {
      actions_[node].push_back(action);
      counts_.most_entries = std::max(counts_.most_entries, ++counts_.entries);
    }
    add_slot(in_s, node);
  }
}

// Rules 1, 3 and 2 at once, without a node: a transaction of one event has no successors when it
// ends, so its end only makes its predecessors remember it.
inline void SummaryGraph::unary_event(ThreadId t, std::initializer_list<Action> own) {
  const Action thread{ActionKind::kThread, t.v};
  ++counts_.unary;
  collect(thread, kNoSlot);
  if (nothing_before()) {
    ++counts_.unary_idle;
    return;
  }
  for (const Action action : own) remember(action);
  remember(thread);
}

void SummaryGraph::on_read(ThreadId t, VarId x) {
  event(t, {{ActionKind::kWrite, x.v}}, {{ActionKind::kRead, x.v}});
}

void SummaryGraph::on_write(ThreadId t, VarId x) {
  event(t, {{ActionKind::kRead, x.v}, {ActionKind::kWrite, x.v}}, {{ActionKind::kWrite, x.v}});
}

// The action is the release: it conflicts with acquires and with nothing else.
void SummaryGraph::on_acquire(ThreadId t, LockId l) { event(t, {{ActionKind::kLock, l.v}}, {}); }
void SummaryGraph::on_release(ThreadId t, LockId l) { event(t, {}, {{ActionKind::kLock, l.v}}); }

// [SCG rule 4] The child's events depend on the fork.
void SummaryGraph::on_fork(ThreadId t, ThreadId u) {
  ++counts_.forks;
  event(t, {}, {{ActionKind::kThread, u.v}});
}

// [SCG rule 5] The thread u has ended, though its last block may still be open.
void SummaryGraph::on_join(ThreadId t, ThreadId u) {
  ++counts_.joins;
  event(t, {events_of(u)}, {});
  if (violated_ || t == u) return;
  if (node_of_[u] == kNoSlot) return forget_thread(u);
  std::fill(before_.begin(), before_.end(), 0);
  add_slot(before_.data(), node_of_[u]);
  if (node_of_[t] != kNoSlot) {
    connect(node_of_[t]);
  } else {
    remember({ActionKind::kThread, t.v});
  }
}

// What a join of u depends on.
SummaryGraph::Action SummaryGraph::events_of(ThreadId u) {
  const GroupRef group = group_of_[u];
  if (group.index == kNoGroup) return {ActionKind::kThread, u.v};
  const bool is_live = generations_[group.index] == group.generation;
  return {ActionKind::kEnded, is_live ? group.index : 0};
}

// [SCG rule 5] The thread will do nothing more, so only a second join can ask who precedes it. From
// now on it is one of a group of threads that the same nodes precede.
void SummaryGraph::forget_thread(ThreadId u) {
  if (group_of_[u].index != kNoGroup) return;
  ++counts_.forgotten;
  SlotWord* row = threads_.set(u.v);
  const std::uint32_t group = group_like(row);
  group_of_[u] = {group, generations_[group]};
  for (std::size_t word = 0; word < words_; ++word) {
    for_each_slot(row[word] | row[words_ + word], word, [&](Slot node) { ++stale_[node]; });
  }
  std::fill_n(row, 2 * words_, 0);
  for (Slot node = 0; node < slots_.capacity(); ++node) {
    if (2 * stale_[node] > actions_[node].size()) drop_stale(node);
  }
}

// The group whose sets are those of the row; a new one if there is none among the latest ones.
std::uint32_t SummaryGraph::group_like(const SlotWord* row) {
  constexpr std::size_t kMostCompared = 64;
  if (std::all_of(row, row + 2 * words_, [](SlotWord word) { return word == 0; })) return 0;
  const std::size_t compared = std::min(kMostCompared, live_groups_.size());
  for (std::size_t i = live_groups_.size() - compared; i < live_groups_.size(); ++i) {
    if (std::equal(row, row + 2 * words_, groups_.set(live_groups_[i]))) return live_groups_[i];
  }
  if (free_groups_.empty()) {
    free_groups_.push_back(static_cast<std::uint32_t>(generations_.size()));
    generations_.push_back(0);
    groups_.grow_to(generations_.size());
  }
  const std::uint32_t group = free_groups_.back();
  free_groups_.pop_back();
  live_groups_.push_back(group);
  std::vector<SlotWord> nodes(words_);
  for (std::size_t word = 0; word < words_; ++word) nodes[word] = row[word] | row[words_ + word];
  list({ActionKind::kEnded, group}, nodes.data());
  std::copy_n(row, 2 * words_, groups_.set(group));
  return group;
}

// Takes actions off the node's list that neither its S nor its C has any more.
void SummaryGraph::drop_stale(Slot node) {
  stale_[node] = 0;
  counts_.entries -= std::erase_if(actions_[node], [&](Action action) {
    const SlotWord* in_s = scheduled(action);
    return !has_slot(in_s, node) && !has_slot(in_s + words_, node);
  });
}

void SummaryGraph::free_groups(Slot ended) {
  for (const Action action : actions_[ended]) {
    if (action.kind != ActionKind::kEnded) continue;
    const SlotWord* row = groups_.set(action.index);
    if (std::any_of(row, row + 2 * words_, [](SlotWord word) { return word != 0; })) continue;
    ++generations_[action.index];
    std::erase(live_groups_, action.index);
    free_groups_.push_back(action.index);
  }
}

// [SCG rule 1] Earlier transactions of t and its fork come before this one.
void SummaryGraph::on_begin(ThreadId t, LabelId label) {
  if (violated_ || !blocks_.push(t, label, now())) return;
  ++counts_.begins;
  const Slot node = slots_.open();
  node_of_[t] = node;
  if (slots_.capacity() > actions_.size()) {
    actions_.emplace_back();
    stale_.emplace_back();
    predecessors_.grow_to(slots_.capacity());
    successors_.grow_to(slots_.capacity());
    if (slots_.capacity() > words_ * kSlotsPerWord) widen();
  }
  std::fill(before_.begin(), before_.end(), 0);
  collect({ActionKind::kThread, t.v}, kNoSlot);
  connect(node);
}

void SummaryGraph::widen() {
  ++counts_.widened;
  words_ *= 2;
  variables_.widen_to(words_);
  locks_.widen_to(words_);
  threads_.widen_to(words_);
  groups_.widen_to(words_);
  predecessors_.widen_to(words_);
  successors_.widen_to(words_);
  before_.resize(words_);
}

void SummaryGraph::on_end(ThreadId t) {
  if (violated_ || !blocks_.pop(t)) return;
  ++counts_.ends;
  end_transaction(t, now());
}

// [SCG rule 2] The predecessors take S and C over, then nothing is left of the node.
void SummaryGraph::end_transaction(ThreadId t, EventIndex at) {
  const Slot ended = node_of_[t];
  node_of_[t] = kNoSlot;
  std::copy_n(predecessors_.set(ended), words_, before_.data());
  bypass(ended, at);
  if (stale_[ended] != 0) drop_stale(ended);
  for (const Action action : actions_[ended]) forget(action, ended);
  if (!nothing_before()) {
    counts_.handed_over += actions_[ended].size();
    for (const Action action : actions_[ended]) remember(action);
    remember({ActionKind::kThread, t.v});
  }
  if (!live_groups_.empty()) free_groups(ended);
  counts_.entries -= actions_[ended].size();
  actions_[ended].clear();
  slots_.close(ended);
}

// [SCG rule 2] Predecessors are connected to successors; one that is both gets a self-loop.
void SummaryGraph::bypass(Slot ended, EventIndex at) {
  SlotWord* predecessors = predecessors_.set(ended);
  SlotWord* successors = successors_.set(ended);
  for (std::size_t word = 0; word < words_; ++word) {
    if ((predecessors[word] & successors[word]) != 0) self_loop(at);
    for_each_slot(successors[word], word, [&](Slot to) {
      SlotWord* into = predecessors_.set(to);
      remove_slot(into, ended);
      for (std::size_t w = 0; w < words_; ++w) into[w] |= before_[w];
      --counts_.edges;
    });
    for_each_slot(predecessors[word], word, [&](Slot from) {
      SlotWord* out = successors_.set(from);
      remove_slot(out, ended);
      for (std::size_t w = 0; w < words_; ++w) {
        counts_.edges += static_cast<std::uint64_t>(std::popcount(successors[w] & ~out[w]));
        out[w] |= successors[w];
      }
      --counts_.edges;
    });
  }
  counts_.most_edges = std::max(counts_.most_edges, counts_.edges);
  std::fill_n(predecessors, words_, 0);
  std::fill_n(successors, words_, 0);
}

// Blocks that the trace leaves open end here, as the paper proposes after Theorem 1.
void SummaryGraph::on_finish() {
  blocks_.end_all([&](ThreadId t) {
    if (violated_) return;
    ++counts_.closed_at_finish;
    end_transaction(t, now() - 1);
  });
}

std::vector<Counter> SummaryGraph::counters() const {
  return {
      {"rule 1: begins", counts_.begins},
      {"rule 2: ends", counts_.ends},
      {"rule 2: actions handed over", counts_.handed_over},
      {"rule 3: events in blocks", counts_.scheduled},
      {"rule 3: edges", counts_.edges_added},
      {"rules 1-3: events outside blocks", counts_.unary},
      {"events outside blocks with nothing before them", counts_.unary_idle},
      {"rule 4: threads begun", counts_.forks},
      {"rule 5: threads ended", counts_.joins},
      {"rule 5: threads forgotten", counts_.forgotten},
      {"self-loops", counts_.self_loops},
      {"ends at the end of the trace", counts_.closed_at_finish},
      {"most nodes", slots_.capacity(), Measure::kNodes},
      {"most edges", counts_.most_edges, Measure::kEdges},
      {"most entries of S and C", counts_.most_entries},
      {"sets widened", counts_.widened},
  };
}

}  // namespace omnium
