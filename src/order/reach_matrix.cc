// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "order/reach_matrix.h"

#include <algorithm>
#include <bit>

namespace omnium {

namespace {

template <class Visit>
void for_each_bit(std::uint64_t bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::uint32_t>(std::countr_zero(bits)));
}

template <class T>
std::vector<T> with_taller_columns(const std::vector<T>& old, std::size_t columns, std::size_t from,
                                   std::size_t to, const T& fill) {
  std::vector<T> taller(columns * to, fill);
  for (std::size_t c = 0; c < columns; ++c) {
    std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(c * from), from,
                taller.begin() + static_cast<std::ptrdiff_t>(c * to));
  }
  return taller;
}

}  // namespace

void ReachMatrix::grow_rows() {
  const Row old = row_capacity_;
  row_capacity_ = old == 0 ? kReachRowsStep : old * 2;
  events_ = with_taller_columns(events_, columns_.size(), old, row_capacity_, kNever);
  txns_ = with_taller_columns(txns_, columns_.size(), old, row_capacity_, kNever);
  parents_ = with_taller_columns(parents_, columns_.size(), old, row_capacity_, Dependency{});
  reached_.resize(row_capacity_);
  for (Row row = row_capacity_; row-- > old;) free_rows_.push_back(row);
}

ReachMatrix::Row ReachMatrix::new_row() {
  ++version_;
  if (free_rows_.empty()) grow_rows();
  const Row row = free_rows_.back();
  free_rows_.pop_back();
  counts_.max_rows = std::max<std::uint64_t>(counts_.max_rows, row_capacity_ - free_rows_.size());
  return row;
}

ReachMatrix::Column ReachMatrix::column_for(ThreadId u) {
  Thread& thread = threads_[u];
  if (thread.column != kNoColumn) return thread.column;
  if (free_columns_.empty()) {
    free_columns_.push_back(static_cast<Column>(columns_.size()));
    columns_.emplace_back();
    events_.resize(columns_.size() * row_capacity_, kNever);
    txns_.resize(columns_.size() * row_capacity_, kNever);
    parents_.resize(columns_.size() * row_capacity_);
    counts_.max_columns = columns_.size();
  }
  thread.column = free_columns_.back();
  free_columns_.pop_back();
  columns_[thread.column] = {u, 0};
  return thread.column;
}

void ReachMatrix::reach_first(Column column, Row row) {
  ++columns_[column].reached_by;
  reached_[row].push_back(column);
}

void ReachMatrix::open_transaction(ThreadId t, ReachTime begin) {
  Thread& thread = threads_[t];
  thread.open = begin;
  thread.least = std::min(thread.least, begin);
}

ReachMatrix::Row ReachMatrix::row_for_transaction(ThreadId t) {
  const Row row = new_row();
  const Column column = column_for(t);
  events_[at(row, t)] = threads_[t].open;
  txns_[at(row, t)] = threads_[t].open;
  reach_first(column, row);
  threads_[t].has_row = true;
  return row;
}

ReachMatrix::Row ReachMatrix::row_for_nested(ThreadId t, ReachTime begin) {
  const Row row = new_row();
  events_[at(row, t)] = begin;
  reached_[row].push_back(threads_[t].column);
  return row;
}

void ReachMatrix::close_transaction(ThreadId t, Row row) {
  Thread& thread = threads_[t];
  thread.open = kNever;
  thread.has_row = false;
  if (row != kNoRow) return close(row);
  // Entries of others for this thread are no later than the begin, so they are the least ones.
  if (thread.column == kNoColumn) thread.least = kNever;
}

void ReachMatrix::close(Row row) {
  ++version_;
  for (const Column column : reached_[row]) forget(column, row);
  reached_[row].clear();
  free_rows_.push_back(row);
}

void ReachMatrix::forget(Column column, Row row) {
  const std::size_t entry = std::size_t{column} * row_capacity_ + row;
  const ReachTime old = std::exchange(txns_[entry], kNever);
  events_[entry] = kNever;
  if (old == kNever) return;  // a nested block's entry
  ColumnState& state = columns_[column];
  Thread& thread = threads_[state.thread];
  if (--state.reached_by == 0) {
    thread.least = thread.open;
    thread.column = kNoColumn;
    free_columns_.push_back(column);
  } else if (thread.least == old) {
    thread.least = std::min(
        thread.open,
        reach_columns::minimum(&txns_[std::size_t{column} * row_capacity_], row_capacity_));
  }
}

ReachTime ReachMatrix::least_txn_reach(Row row) const {
  ReachTime least = kNever;
  for (const Column column : reached_[row]) {
    least = std::min(least, txns_[std::size_t{column} * row_capacity_ + row]);
  }
  return least;
}

void ReachMatrix::spread(const Dependency& dependency, Row sink_row, ReachTime start) {
  const Column to = column_for(dependency.sink_thread);
  const Column from = threads_[dependency.source_thread].column;
  const auto time = static_cast<ReachTime>(dependency.source);
  bool changed = false;
  for (Row first = 0; first < row_capacity_; first += kReachRowsPerMask) {
    const Row rows = std::min<Row>(kReachRowsPerMask, row_capacity_ - first);
    changed |= spread_events(dependency, from, to, first, rows);
    changed |= spread_txns(time, start, from, to, sink_row, first, rows);
  }
  if (changed) {
    ++version_;
  } else {
    note_settled(dependency, from);
  }
}

void ReachMatrix::note_settled(const Dependency& dependency, Column from) {
  const auto time = static_cast<ReachTime>(dependency.source);
  const std::size_t base = std::size_t{from} * row_capacity_;
  for (std::size_t i = base; i < base + row_capacity_; ++i) {
    if ((events_[i] > time && events_[i] != kNever) || (txns_[i] > time && txns_[i] != kNever)) {
      return;
    }
  }
  const ThreadId u = dependency.source_thread, v = dependency.sink_thread;
  const ReachTime since = is_noted(u, v, kNever) ? settled_[settled_slot(u, v)].since : kNever;
  settled_[settled_slot(u, v)] = {version_, u, v, std::min(since, time)};
}

// Rule 4. The sink's own rows are left alone because their entry for the sink's thread is set
// already. An entry is also an entry of txn_reach (rule 5 follows) unless the row is a nested
// block's.
bool ReachMatrix::spread_events(const Dependency& dependency, Column from, Column to, Row first,
                                Row rows) {
  const std::size_t to_base = std::size_t{to} * row_capacity_ + first;
  const std::uint64_t selected = reach_columns::select(
      &events_[std::size_t{from} * row_capacity_ + first],
      static_cast<ReachTime>(dependency.source), &events_[to_base], kNever - 1, rows);
  for_each_bit(selected, [&](std::uint32_t bit) {
    ++counts_.event_reached;
    events_[to_base + bit] = static_cast<ReachTime>(dependency.sink);
    parents_[to_base + bit] = dependency;
    const Row row = first + bit;
    const bool nested = txns_[std::size_t{reached_[row].front()} * row_capacity_ + row] == kNever;
    if (nested) reached_[row].push_back(to);
  });
  return selected != 0;
}

// Rule 5.
bool ReachMatrix::spread_txns(ReachTime time, ReachTime start, Column from, Column to, Row sink_row,
                              Row first, Row rows) {
  const std::uint64_t selected =
      reach_columns::select(&txns_[std::size_t{from} * row_capacity_ + first], time,
                            &txns_[std::size_t{to} * row_capacity_ + first], start, rows);
  if (selected == 0) return false;
  const auto lower = [&](Column column, ReachTime value) {
    const std::uint64_t reached = reach_columns::lower(
        &txns_[std::size_t{column} * row_capacity_ + first], selected, value, rows);
    for_each_bit(reached, [&](std::uint32_t bit) { reach_first(column, first + bit); });
    Thread& thread = threads_[columns_[column].thread];
    thread.least = std::min(thread.least, value);
  };
  counts_.txn_reached += static_cast<std::uint64_t>(std::popcount(selected));
  lower(to, start);
  if (sink_row == kNoRow) return true;
  ++counts_.merged;
  for (const Column column : reached_[sink_row]) {
    if (column != to) lower(column, txns_[std::size_t{column} * row_capacity_ + sink_row]);
  }
  return true;
}

}  // namespace omnium
