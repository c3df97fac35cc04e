// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What an access to a locked cell means for the clock of its thread, and for the cell.
#pragma once

#include "runtime/record/log.h"

namespace omnium::runtime::record {

// Cells that were emptied without a trace: new events there are later than this clock.
extern std::atomic<std::uint64_t> emptied_clock;

// A content of a cell while its lock bit is held.
struct Content {
  Word written, read;
};

// What the clock of the current event must satisfy.
struct Demand {
  std::uint64_t after = 0;     // it is higher than this
  std::uint64_t at_least = 0;  // and not lower than this
  bool news = false;           // a dependency that the thread may not know of: a new period
};

// Adds what an access to the bytes demands.
void add_demand(ThreadLog& log, const Content& content, unsigned bytes, bool write, Demand& demand);
// The clock moves on as far as it must.
void settle(ThreadLog& log, const Demand& demand);
// The content remembers the access, which happens at the clock of the thread now.
void remember(const ThreadLog& log, Content& content, unsigned bytes, bool write);
// The content forgets the bytes.
void forget(const ThreadLog& log, Content& content, unsigned bytes);

// The content of a cell that the thread has locked.
inline Content content_of(const Cell& cell) {
  return {cell.written.load(std::memory_order_relaxed) & ~kLocked,
          cell.read.load(std::memory_order_relaxed)};
}
inline void unlock(Cell& cell, const Content& content) {
  cell.read.store(content.read, std::memory_order_relaxed);
  cell.written.store(content.written, std::memory_order_release);
}

// All of it for one cell that is locked: first for those that only the thread has to do with.
[[gnu::noinline]] void touch_shared(ThreadLog& log, Cell& cell, unsigned bytes, bool write);

inline bool is_only_mine(const ThreadLog& log, Word word) {
  return word >> kSlotShift >= identity_of(log.slot, log.first_clock) >> kSlotShift &&
         slot_of(word) == log.slot && (word & kFlag) == 0;
}
inline Word with_mine(const ThreadLog& log, Word word, unsigned bytes) {
  const unsigned now = clock_of(word) == log.clock ? now_of(word) : 0;
  return make_word(log.identity, false, own_of(word) | bytes, now | bytes);
}

inline void touch(ThreadLog& log, Cell& cell, unsigned bytes, bool write) {
  const Word written = lock(cell);
  const Word read = cell.read.load(std::memory_order_relaxed);
  const bool fresh = written == 0 && emptied_clock.load(std::memory_order_relaxed) < log.clock;
  if ((!fresh && !is_only_mine(log, written)) || (read != 0 && !is_only_mine(log, read))) {
    return touch_shared(log, cell, bytes, write);
  }
  if (!write) {
    unlock(cell, {written, with_mine(log, read, bytes)});
  } else {
    const Word left = read & ~Word{bytes} & ~(Word{bytes} << 8);
    unlock(cell, {with_mine(log, written, bytes), own_of(left) == 0 ? 0 : left});
  }
}

// The pieces of a range, each in one cell: calls visit(address, bytes, size).
template <class Visit>
void for_each_piece(std::uintptr_t address, std::size_t size, Visit visit) {
  for (const std::uintptr_t end = address + size; address != end;) {
    const unsigned offset = address % 8;
    const std::uintptr_t left = end - address;
    const unsigned length = left < 8 - offset ? static_cast<unsigned>(left) : 8 - offset;
    visit(address, ((1u << length) - 1) << offset, length);
    address += length;
  }
}

}  // namespace omnium::runtime::record
