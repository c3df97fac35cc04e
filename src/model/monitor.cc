// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/monitor.h"

namespace omnium::model {

namespace {

// Everything that t's open transaction did and reaches comes after w's transaction, too.
void reach(Row& w, const Row& mine, std::uint32_t t, bool open) {
  w.threads |= ThreadSet{1} << t;
  if (!open) return;
  w.threads |= mine.threads;
  w.later_reads |= mine.own_reads | mine.later_reads;
  w.later_writes |= mine.own_writes | mine.later_writes;
}

}  // namespace

bool Monitor::access(State& state, std::uint32_t t, std::int32_t object, bool write, bool open) {
  if (object == kNone) return false;
  const ObjectSet it = ObjectSet{1} << object;
  Row& mine = state.rows[t];
  if (((write ? mine.later_reads | mine.later_writes : mine.later_writes) & it) != 0) return true;
  for (std::uint32_t w = 0; w < state.rows.size(); ++w) {
    Row& row = state.rows[w];
    if (w == t || row.empty()) continue;
    if ((row.threads >> t & 1) == 0) {
      const ObjectSet writes = row.own_writes | row.later_writes;
      const ObjectSet all = writes | row.own_reads | row.later_reads;
      if (((write ? all : writes) & it) == 0) continue;
      reach(row, mine, t, open);
    }
    (write ? row.later_writes : row.later_reads) |= it;
  }
  if (open) (write ? mine.own_writes : mine.own_reads) |= it;
  return false;
}

bool Monitor::join(State& state, std::uint32_t t, std::uint32_t other, bool open, bool own_idle) {
  const Row& mine = state.rows[t];
  if ((mine.threads >> other & 1) != 0 && !own_idle) return true;
  for (std::uint32_t w = 0; w < state.rows.size(); ++w) {
    Row& row = state.rows[w];
    if (w == t || (row.threads >> other & 1) == 0 || (row.threads >> t & 1) != 0) continue;
    reach(row, mine, t, open);
  }
  return false;
}

void Monitor::fork(State& state, std::uint32_t t, std::uint32_t child, bool open) {
  for (std::uint32_t w = 0; w < state.rows.size(); ++w) {
    Row& row = state.rows[w];
    if ((w == t && open) || (row.threads >> t & 1) != 0) row.threads |= ThreadSet{1} << child;
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
    if (!future.acts && (joined & bit) == 0) row.threads &= ~bit;
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
}

}  // namespace omnium::model
