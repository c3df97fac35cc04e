// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What each open block already reaches: the whole global state of the reach engine
// (docs/algorithms/reach.md).
//
// A row is an open block, a column a thread that some open transaction reaches; both come and go,
// so the matrices have the size of what is live now and not of all threads there ever were.
// Column-major: for one thread all rows lie side by side, and rules 4 and 5 are vector loops over
// them.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "event/event.h"
#include "finding/finding.h"
#include "order/reach_columns.h"
#include "support/id.h"

namespace omnium {

class ReachMatrix {
 public:
  using Row = std::uint32_t;
  static constexpr Row kNoRow = ~Row{0};

  void grow_to(std::uint32_t threads) { threads_.grow_to(threads); }

  // Rule 1, negated: no open transaction reaches the transaction of event `time` of u.
  bool dead(ThreadId u, ReachTime time) const { return threads_[u].least > time; }
  // No open transaction reaches any event of u, its own open transaction included.
  bool unreached(ThreadId u) const { return threads_[u].least == kNever; }

  // A transaction of t begins. Blocks get a row when their first live dependency leaves them: most
  // transactions never need one.
  void open_transaction(ThreadId t, ReachTime begin);
  Row row_for_transaction(ThreadId t);
  Row row_for_nested(ThreadId t, ReachTime begin);  // the transaction around it has a row
  // The block ends; `row` may be kNoRow.
  void close_transaction(ThreadId t, Row row);
  void close_nested(Row row) {
    if (row != kNoRow) close(row);
  }

  // The first event of u that the block reaches along CHB.
  ReachTime event_reach(Row row, ThreadId u) const { return events_[at(row, u)]; }
  // The start of the earliest transaction of u that the transaction reaches.
  ReachTime txn_reach(Row row, ThreadId u) const { return txns_[at(row, u)]; }
  // The dependency by which the block first reached u.
  const Dependency& parent(Row row, ThreadId u) const { return parents_[at(row, u)]; }
  // The smallest txn_reach of the row.
  ReachTime least_txn_reach(Row row) const;

  // Rules 4 and 5 for a live dependency. `sink_row` is the row of the sink's open transaction
  // (kNoRow: a unary event), `start` the time at which the sink's transaction began.
  void spread(const Dependency& dependency, Row sink_row, ReachTime start);
  // Is it known that a dependency from u at `time` to v changes nothing, needs no row and finds no
  // instance? Under a long transaction that is so for nearly all of them.
  bool settled(ThreadId u, ThreadId v, ReachTime time) const {
    return threads_[u].open > time && !threads_[v].has_row && is_noted(u, v, time);
  }

  struct Counts {
    std::uint64_t event_reached = 0;  // rule 4 set an entry
    std::uint64_t txn_reached = 0;    // rule 5 set an entry
    std::uint64_t merged = 0;         // rule 5 joined rows
    std::uint64_t max_rows = 0;
    std::uint64_t max_columns = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  using Column = std::uint32_t;
  static constexpr Column kNoColumn = ~Column{0};

  struct Thread {
    ReachTime least = kNever;  // min over rows of txn_reach, and `open`: what rule 1 compares with
    ReachTime open = kNever;   // where the open transaction began
    Column column = kNoColumn;
    bool has_row = false;  // the open transaction has
  };
  struct ColumnState {
    ThreadId thread;
    std::uint32_t reached_by = 0;  // rows with a txn_reach here
  };

  // As long as the matrices do not change: a dependency from `source` at `since` changed nothing,
  // and every row that reaches that thread reaches it by then. So a later one, to a transaction of
  // the sink that did not begin earlier, changes nothing either.
  struct Settled {
    std::uint64_t version = 0;
    ThreadId source, sink;
    ReachTime since = kNever;
  };
  static constexpr std::size_t kSettled = 256;
  static std::size_t settled_slot(ThreadId u, ThreadId v) { return (u.v * 16 + v.v) % kSettled; }
  bool is_noted(ThreadId u, ThreadId v, ReachTime time) const {
    const Settled& known = settled_[settled_slot(u, v)];
    return known.version == version_ && known.source == u && known.sink == v && known.since <= time;
  }
  void note_settled(const Dependency& dependency, Column from);

  std::size_t at(Row row, ThreadId u) const {
    return std::size_t{threads_[u].column} * row_capacity_ + row;
  }
  Row new_row();
  void close(Row row);
  Column column_for(ThreadId u);
  void grow_rows();
  void reach_first(Column column, Row row);
  void forget(Column column, Row row);
  // Both are true if something changed.
  bool spread_events(const Dependency& dependency, Column from, Column to, Row first, Row rows);
  bool spread_txns(ReachTime time, ReachTime start, Column from, Column to, Row sink_row, Row first,
                   Row rows);

  IdTable<ThreadId, Thread> threads_;
  std::vector<ColumnState> columns_;
  std::vector<Column> free_columns_;
  std::vector<std::vector<Column>> reached_;  // per row: columns with an entry, in order of arrival
  std::vector<Row> free_rows_;
  Row row_capacity_ = 0;                  // a multiple of kReachRowsStep
  std::vector<ReachTime> events_, txns_;  // [column * row_capacity_ + row]
  std::vector<Dependency> parents_;       // likewise
  std::uint64_t version_ = 1;             // of the matrices
  std::array<Settled, kSettled> settled_;
  Counts counts_;
};

}  // namespace omnium
