// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/reference.h"

#include <algorithm>
#include <map>
#include <utility>

#include "support/check.h"

namespace omnium::test {

namespace {

bool is_access(const Event& e) { return omnium::is_access(e.kind); }
bool is_lock(const Event& e) { return takes_lock(e.kind) || gives_lock_back(e.kind); }
bool is_signal(const Event& e) { return e.kind == Kind::kSignal || e.kind == Kind::kAwait; }

}  // namespace

Reference::Reference(std::vector<Event> events, CheckMode mode)
    : events_(std::move(events)), mode_(mode) {
  find_blocks();
  find_parts();
  close_chb();
  verdict_.serializable = !has_cycle(events_.size());
  judge_blocks();
}

bool Reference::conflict(EventIndex earlier, EventIndex later) const {
  const Event& a = events_[earlier];
  const Event& b = events_[later];
  if (a.kind == Kind::kSkip || b.kind == Kind::kSkip) return false;
  if (a.thread_id == b.thread_id) return true;
  if (is_access(a) && is_access(b) && a.object == b.object) {
    return is_write(a.kind) || is_write(b.kind);
  }
  // More pairs than "give back, then take", but those between are there for every such pair.
  if (mode_.conflicts == Conflicts::kAll && is_lock(a) && is_lock(b) && a.object == b.object) {
    return !(is_shared_side(a.kind) && is_shared_side(b.kind));
  }
  if (a.kind == Kind::kSignal && b.kind == Kind::kAwait && a.object == b.object) return true;
  if (a.kind == Kind::kFork && a.object == b.thread_id) return true;
  if (b.kind == Kind::kJoin && b.object == a.thread_id) return true;
  return a.kind == Kind::kFork && b.kind == Kind::kJoin && a.object == b.object;
}

void Reference::find_blocks() {
  std::map<std::uint16_t, std::vector<std::size_t>> open;  // per thread, indices into blocks_
  for (EventIndex i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    auto& stack = open[event.thread_id];
    if (event.kind == Kind::kBegin) {
      stack.push_back(blocks_.size());
      Block block{};
      static_cast<BlockRef&>(block) = {event.thread(), event.label(), i};
      block.end = events_.size();
      blocks_.push_back(block);
    }
    transaction_.push_back(stack.empty() ? BlockRef{event.thread(), LabelId::none(), i}
                                         : BlockRef(blocks_[stack.front()]));
    if (event.kind == Kind::kEnd) {
      blocks_[stack.back()].end = i + 1;
      ends_[blocks_[stack.back()]] = i;
      stack.pop_back();
    }
  }
}

// Parts of blocks, by the rules of "Waiting and retrying". A part of an outermost block is a
// transaction.
void Reference::find_parts() {
  part_.resize(events_.size());
  std::map<std::uint16_t, EventIndex> part;  // of the open outermost block of a thread
  std::map<std::uint16_t, EventIndex> last;  // event of a thread
  std::map<BlockRef, EventIndex> closes_at;  // of blocks that were cut: the end of the whole
  for (EventIndex i = 0; i < events_.size(); ++i) {
    BlockRef& transaction = transaction_[i];
    part_[i] = i;
    if (events_[i].kind == Kind::kSkip) continue;
    const EventIndex before = std::exchange(last[events_[i].thread_id], i);
    if (transaction.label.is_none()) continue;
    const BlockRef block = transaction;
    EventIndex& open = part[events_[i].thread_id];
    if (block.begin == i) open = i;
    if (mode_.waits == Waits::kSplit && starts_part(i, open)) {
      if (open == block.begin) closes_at[block] = end_of(block);
      ends_[{block.thread, block.label, open}] = before;
      open = i;
    }
    part_[i] = open;
    transaction.begin = open;
    if (const auto closed = closes_at.find(block); closed != closes_at.end()) {
      if (closed->second == i) ends_[transaction] = i;
    }
  }
}

bool Reference::starts_part(EventIndex at, EventIndex part) const {
  const Event& event = events_[at];
  if (event.kind == Kind::kResume) return true;
  if (event.kind == Kind::kRetry) return came_to_nothing(at, part);
  for (EventIndex i = part + 1; i < at; ++i) {
    const Event& other = events_[i];
    if (other.kind == Kind::kSkip || other.thread_id == event.thread_id) continue;
    if (event.kind == Kind::kAwait && other.kind == Kind::kSignal && other.object == event.object) {
      return true;
    }
    if (event.kind == Kind::kJoin && other.thread_id == event.object) return true;
  }
  return false;
}

bool Reference::came_to_nothing(EventIndex retry, EventIndex part) const {
  const Event& attempt = events_[retry];
  for (EventIndex e = part; e < retry; ++e) {
    const Event& own = events_[e];
    if (own.thread_id != attempt.thread_id) continue;
    const bool attempts = own.kind == Kind::kAtomicRead || own.kind == Kind::kRetry;
    if (attempts && own.object == attempt.object) continue;
    for (EventIndex i = e + 1; i < retry; ++i) {
      if (events_[i].thread_id != attempt.thread_id && conflict(e, i)) return false;
    }
  }
  return true;
}

void Reference::close_chb() {
  const std::size_t n = events_.size();
  chb_.assign(n, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < n; ++i) chb_[i][i] = true;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (!conflict(i, j)) continue;
      for (std::size_t before = 0; before <= i; ++before) {
        if (chb_[before][i]) chb_[before][j] = true;
      }
    }
  }
}

// Between different threads, earlier and conflicting, with no event in between on the same variable
// (lock) that conflicts with both.
bool Reference::direct_dependency(EventIndex from, EventIndex to) const {
  if (from >= to || !conflict(from, to)) return false;
  const Event& a = events_[from];
  const Event& b = events_[to];
  if (a.thread_id == b.thread_id) return false;
  const bool forks = a.kind == Kind::kFork && a.object == b.thread_id;
  const bool joins = b.kind == Kind::kJoin && b.object == a.thread_id;
  const bool fork_join = a.kind == Kind::kFork && b.kind == Kind::kJoin && a.object == b.object;
  const bool on_variable = is_access(a) && is_access(b);
  const bool on_lock = is_lock(a) && is_lock(b) && mode_.conflicts == Conflicts::kAll;
  if (on_lock && !(gives_lock_back(a.kind) && takes_lock(b.kind))) return false;
  const bool signalled = is_signal(a) && is_signal(b) && a.object == b.object;
  // Two events may conflict for two reasons, as fork(u) and u's join of its parent do: one is
  // enough.
  bool by_fork = forks, by_join = joins, by_both = fork_join;
  bool by_object = (on_variable || on_lock || signalled) && a.object == b.object;
  for (EventIndex i = from + 1; i < to; ++i) {
    const Event& e = events_[i];
    if (e.kind == Kind::kSkip) continue;
    by_fork &= e.thread_id != b.thread_id;
    by_join &= e.thread_id != a.thread_id;
    by_both &= e.thread_id != a.object;
    const bool on_it =
        e.object == a.object &&
        ((on_variable && is_access(e)) || (on_lock && is_lock(e)) || (signalled && is_signal(e)));
    by_object &= !(on_it && conflict(from, i) && conflict(i, to));
  }
  return by_fork || by_join || by_both || by_object;
}

bool Reference::edge(const BlockRef& from, const BlockRef& to) const {
  if (from == to) return false;
  for (EventIndex j = 0; j < events_.size(); ++j) {
    if (transaction_[j] != to) continue;
    for (EventIndex i = 0; i < j; ++i) {
      if (transaction_[i] == from && conflict(i, j)) return true;
    }
  }
  return false;
}

bool Reference::has_cycle(EventIndex events) const {
  std::map<BlockRef, std::set<BlockRef>> reaches;
  for (EventIndex j = 0; j < events; ++j) {
    for (EventIndex i = 0; i < j; ++i) {
      if (transaction_[i] != transaction_[j] && conflict(i, j)) {
        reaches[transaction_[i]].insert(transaction_[j]);
      }
    }
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (auto& [from, targets] : reaches) {
      const std::set<BlockRef> before = targets;
      for (const BlockRef& to : before) {
        if (!reaches.contains(to)) continue;
        for (const BlockRef& next : reaches.at(to)) grew |= targets.insert(next).second;
      }
      if (targets.contains(from)) return true;
    }
  }
  return false;
}

bool Reference::contains(const Block& block, EventIndex event) const {
  return events_[event].thread() == block.thread && block.begin <= event && event < block.end;
}

void Reference::judge_blocks() {
  for (EventIndex to = 0; to < events_.size(); ++to) {
    for (EventIndex from = 0; from < to; ++from) {
      if (!direct_dependency(from, to)) continue;
      for (const Block& block : blocks_) {
        // The part of the block that `to` is in starts no earlier than the block.
        const EventIndex first = std::max(block.begin, part_[to]);
        if (!contains(block, to) || !chb_[first][from]) continue;
        verdict_.refuted.insert(block);
        if (block.begin > part_[to] || transaction_[to].begin != first) continue;
        verdict_.violating.insert(transaction_[to]);
        verdict_.instances.insert({from, to});
      }
    }
  }
  // The definition by e1 CHB e2 CHB e3 and the one by instances are the same; hold the reference to
  // it.
  for (EventIndex e1 = 0; e1 < events_.size(); ++e1) {
    const BlockRef& transaction = transaction_[e1];
    if (transaction.label.is_none() || transaction.begin != e1) continue;
    bool interrupted = false;
    for (EventIndex e2 = e1; e2 < events_.size(); ++e2) {
      if (transaction_[e2] == transaction || !chb_[e1][e2]) continue;
      for (EventIndex e3 = e2 + 1; e3 < events_.size(); ++e3) {
        interrupted |= transaction_[e3] == transaction && chb_[e2][e3];
      }
    }
    CHECK(interrupted == verdict_.violating.contains(transaction));
  }
}

}  // namespace omnium::test
