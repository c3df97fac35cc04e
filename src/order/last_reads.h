// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// R(x,t) of Velodrome: the step of each thread's last read of a variable since its last write. Most
// variables have one reader, kept in place; the others are in a small hash table over thread ids.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "event/event.h"
#include "order/step.h"
#include "support/id.h"

namespace omnium {

class LastReads {
 public:
  void grow_to(std::uint32_t variables) { cells_.grow_to(variables); }

  struct Entry {
    Step* step;  // valid until the next call
    bool first;  // t had not read x since the last write
  };
  // The entry of t; the caller fills in the step.
  Entry entry(VarId x, ThreadId t) {
    Cell& cell = cells_[x];
    if (cell.reader == t) return {&cell.step, false};
    if (cell.reader.is_none()) {
      cell.reader = t;
      return {&cell.step, true};
    }
    if (cell.others == kNoSet) cell.others = new_set();
    return find(sets_[cell.others], t);
  }

  bool none(VarId x) const { return cells_[x].reader.is_none(); }

  template <class Visit>
  void for_each(VarId x, Visit&& visit) const {
    const Cell& cell = cells_[x];
    if (cell.reader.is_none()) return;
    visit(cell.step);
    if (cell.others == kNoSet) return;
    for (const Reader& reader : sets_[cell.others].readers) {
      if (!reader.thread.is_none()) visit(reader.step);
    }
  }

  // The variable was written.
  void clear(VarId x) {
    Cell& cell = cells_[x];
    cell.reader = ThreadId::none();
    if (cell.others == kNoSet) return;
    sets_[cell.others].readers.assign(kSmallest, Reader{});
    sets_[cell.others].used = 0;
    free_.push_back(cell.others);
    cell.others = kNoSet;
  }

 private:
  static constexpr std::uint32_t kNoSet = ~std::uint32_t{0};
  static constexpr std::size_t kSmallest = 4;  // a power of two

  struct Cell {
    Step step;
    ThreadId reader;  // none: nobody read since the last write
    std::uint32_t others = kNoSet;
  };
  struct Reader {
    ThreadId thread;
    Step step;
  };
  struct Set {
    std::vector<Reader> readers = std::vector<Reader>(kSmallest);
    std::size_t used = 0;
  };

  std::uint32_t new_set() {
    if (free_.empty()) {
      sets_.emplace_back();
      return static_cast<std::uint32_t>(sets_.size() - 1);
    }
    const std::uint32_t set = free_.back();
    free_.pop_back();
    return set;
  }

  static Reader& probe(std::vector<Reader>& readers, ThreadId t) {
    std::size_t i = t.v & (readers.size() - 1);
    while (!readers[i].thread.is_none() && readers[i].thread != t)
      i = (i + 1) & (readers.size() - 1);
    return readers[i];
  }

  static Entry find(Set& set, ThreadId t) {
    Reader* reader = &probe(set.readers, t);
    if (reader->thread == t) return {&reader->step, false};
    if (2 * (set.used + 1) > set.readers.size()) {
      std::vector<Reader> larger(2 * set.readers.size());
      for (const Reader& old : set.readers) {
        if (!old.thread.is_none()) probe(larger, old.thread) = old;
      }
      set.readers = std::move(larger);
      reader = &probe(set.readers, t);
    }
    ++set.used;
    reader->thread = t;
    return {&reader->step, true};
  }

  IdTable<VarId, Cell> cells_;
  std::vector<Set> sets_;
  std::vector<std::uint32_t> free_;
};

}  // namespace omnium
