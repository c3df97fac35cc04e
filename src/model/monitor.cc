// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/monitor.h"

#include <bit>

namespace omnium::model {

namespace {

// Conflicts with earlier reads as well.
bool meets_reads(Touch touch) {
  return touch == Touch::kWrite || touch == Touch::kTake || touch == Touch::kGive;
}

bool counts_as_read(Touch touch) {
  return touch == Touch::kRead || touch == Touch::kAttempt || touch == Touch::kTakeShared ||
         touch == Touch::kGiveShared;
}

template <class Visit>
void for_each_thread(ThreadSet set, Visit&& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::uint32_t>(std::countr_zero(set)));
}

// Everything that t's open transaction did and reaches comes after w's transaction, too.
void reach(Row& w, const Row& mine, std::uint32_t t, bool open) {
  w.threads |= ThreadSet{1} << t;
  if (!open) return;
  w.threads |= mine.threads | mine.forked;
  w.later_reads |= mine.own_reads | mine.later_reads;
  w.later_writes |= mine.own_writes | mine.later_writes;
}

// What the part has done so far (docs/semantics.md#waiting-and-retrying).
void remember(AttemptRow& mine, ObjectSet it, Touch touch) {
  switch (touch) {
    case Touch::kAttempt: mine.attempts |= it; return;
    case Touch::kRead:
    case Touch::kGiveShared: mine.reads |= it; return;
    case Touch::kWrite:
    case Touch::kGive:
    case Touch::kSignal: mine.writes |= it; return;
    default: return;
  }
}

// Whether an event of another thread conflicts with what the part did.
void notice(AttemptRow& row, std::int32_t object, Touch touch) {
  if (touch == Touch::kGive || touch == Touch::kGiveShared || touch == Touch::kSignal) return;
  const ObjectSet it = ObjectSet{1} << object;
  const bool writes = meets_reads(touch);
  const auto number = static_cast<std::uint8_t>(object + 1);
  if (((writes ? row.reads | row.writes : row.writes) & it) != 0) {
    row.noticed = true;
  } else if (writes && (row.attempts & it) != 0) {
    row.noticed |= row.object != 0 && row.object != number;
    row.object = number;
  }
}

}  // namespace

Touch touch_of(Kind kind) {
  switch (kind) {
    case Kind::kAtomicRead:
    case Kind::kRetry: return Touch::kAttempt;
    case Kind::kWrite:
    case Kind::kAtomicWrite:
    case Kind::kUpdate: return Touch::kWrite;
    case Kind::kAcquire:
    case Kind::kResume: return Touch::kTake;
    case Kind::kRelease:
    case Kind::kWait: return Touch::kGive;
    case Kind::kSharedAcquire: return Touch::kTakeShared;
    case Kind::kSharedRelease: return Touch::kGiveShared;
    case Kind::kSignal: return Touch::kSignal;
    case Kind::kAwait: return Touch::kAwait;
    default: return Touch::kRead;
  }
}

bool Monitor::event(State& state, std::uint32_t t, ThreadSet others) {
  const ThreadSet bit = ThreadSet{1} << t;
  bool first = false;
  for (Row& row : state.rows) {
    if ((row.forked & bit) == 0) continue;
    row.forked &= ~bit;
    row.threads |= bit;
    row.attempts.noticed = true;
    first = true;
  }
  for_each_thread(others, [&](std::uint32_t w) { state.rows[w].acted |= bit; });
  return first;
}

bool Monitor::access(State& state, std::uint32_t t, std::int32_t object, Touch touch, bool open) {
  if (object == kNone) return false;
  const ObjectSet it = ObjectSet{1} << object;
  const auto conflicting = [&](ObjectSet reads, ObjectSet writes) {
    if (touch == Touch::kSignal) return false;
    return ((meets_reads(touch) ? reads | writes : writes) & it) != 0;
  };
  Row& mine = state.rows[t];
  if (conflicting(mine.later_reads, mine.later_writes)) return true;
  const auto add = [&](ObjectSet& reads, ObjectSet& writes) {
    if (touch == Touch::kAwait) return;
    (counts_as_read(touch) ? reads : writes) |= it;
  };
  for (std::uint32_t w = 0; w < state.rows.size(); ++w) {
    Row& row = state.rows[w];
    if (w == t || row.empty()) continue;
    notice(row.attempts, object, touch);
    if ((row.threads >> t & 1) == 0) {
      if (!conflicting(row.own_reads | row.later_reads, row.own_writes | row.later_writes)) {
        continue;
      }
      reach(row, mine, t, open);
    }
    add(row.later_reads, row.later_writes);
  }
  if (!open) return false;
  add(mine.own_reads, mine.own_writes);
  remember(mine.attempts, it, touch);
  return false;
}

void Monitor::signal(State& state, std::int32_t object, ThreadSet others) {
  if (object == kNone) return;
  for_each_thread(others,
                  [&](std::uint32_t w) { state.rows[w].signalled |= ObjectSet{1} << object; });
}

bool Monitor::cuts_at_retry(const State& state, std::uint32_t t, std::int32_t object) {
  const AttemptRow& part = state.rows[t].attempts;
  return !part.noticed && (part.object == 0 || part.object == object + 1);
}

// A thread that has done nothing lies between its fork and its join only if these are in different
// transactions.
bool Monitor::join(State& state, std::uint32_t t, std::uint32_t other, bool open) {
  const Row& mine = state.rows[t];
  if ((mine.threads >> other & 1) != 0) return true;
  for (std::uint32_t w = 0; w < state.rows.size(); ++w) {
    Row& row = state.rows[w];
    if (w == t || ((row.threads | row.forked) >> other & 1) == 0) continue;
    row.attempts.noticed |= (row.forked >> other & 1) != 0;
    if ((row.threads >> t & 1) == 0) reach(row, mine, t, open);
  }
  return false;
}

void Monitor::fork(State& state, std::uint32_t t, std::uint32_t child, bool open) {
  for (std::uint32_t w = 0; w < state.rows.size(); ++w) {
    Row& row = state.rows[w];
    if ((row.threads >> t & 1) != 0) row.threads |= ThreadSet{1} << child;
    if (w == t && open) row.forked |= ThreadSet{1} << child;
  }
}

void Monitor::normalize(State& state) const {
  ThreadSet joined = 0;
  bool any = false;
  for (std::uint32_t t = 0; t < layout_.threads(); ++t) {
    joined |= futures_.at(t, state.slots[layout_.pc(t)]).joins;
    any |= !state.rows[t].empty();
  }
  if (!any) return;
  for (std::uint32_t w = 0; w < layout_.threads(); ++w) {
    if (!state.rows[w].empty()) normalize_row(state, w, joined);
  }
}

void Monitor::normalize_row(State& state, std::uint32_t w, ThreadSet joined) const {
  Row& row = state.rows[w];
  const Future& own = futures_.at(w, state.slots[layout_.pc(w)]);
  if (!own.txn_acts) {
    row = {};
    return;
  }
  // What threads that the row does not reach yet may read and write.
  ObjectSet reads = 0;
  ObjectSet writes = 0;
  for (std::uint32_t u = 0; u < layout_.threads(); ++u) {
    if (u == w) continue;
    const Future& future = futures_.at(u, state.slots[layout_.pc(u)]);
    const ThreadSet bit = ThreadSet{1} << u;
    if (!future.acts && (joined & bit) == 0) {
      row.threads &= ~bit;
      if (!own.txn_retries) row.forked &= ~bit;
    }
    if ((row.threads & bit) != 0) continue;
    reads |= future.reads;
    writes |= future.writes;
  }
  // A write that only writes can meet is as good as a read.
  row.own_reads = (row.own_reads | row.own_writes) & writes;
  row.own_writes &= reads;
  row.later_reads = (row.later_reads | row.later_writes) & (writes | own.txn_writes);
  row.later_writes &= reads | own.txn_reads;
  // What follows from the rest is left out.
  row.own_writes &= ~row.later_writes;
  row.own_reads &= ~row.later_reads;
  normalize_cuts(state, w);
}

// What can still decide whether the block is cut.
void Monitor::normalize_cuts(State& state, std::uint32_t w) const {
  Row& row = state.rows[w];
  const Future& own = futures_.at(w, state.slots[layout_.pc(w)]);
  row.acted &= futures_.splits() ? own.txn_joins : 0;
  row.signalled &= futures_.splits() ? own.txn_reads : 0;
  AttemptRow& attempts = row.attempts;
  if (!own.txn_retries) attempts = {};
  if (attempts.noticed) attempts = {.noticed = true};
  if (attempts == AttemptRow{}) return;
  ObjectSet reads = 0;
  ObjectSet writes = 0;
  for (std::uint32_t u = 0; u < layout_.threads(); ++u) {
    if (u == w) continue;
    const Future& future = futures_.at(u, state.slots[layout_.pc(u)]);
    reads |= future.reads;
    writes |= future.writes;
  }
  attempts.reads &= writes;
  attempts.writes &= reads | writes;
  attempts.attempts &= writes;
}

}  // namespace omnium::model
