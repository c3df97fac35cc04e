// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How an access changes the clock of its thread, and its cell.
#pragma once

#include "runtime/record/log.h"

namespace omnium::runtime::record {

// The clock at which pages of cells were last given back. Events that find an empty cell must be
// later.
extern std::atomic<std::uint64_t> emptied_clock;

// The content of a cell, without the lock bit.
struct Content {
  Word written, read;
};

// Conditions on the clock of the current event.
struct Demand {
  std::uint64_t after = 0;     // it must be higher than this
  std::uint64_t at_least = 0;  // and not lower than this
  bool news = false;           // the event may have a dependency that is new: a new period begins
};

// Adds what an access to the bytes demands.
void add_demand(ThreadLog& log, const Content& content, unsigned bytes, bool write, Demand& demand);
// Raises the clock as far as the demand needs.
void settle(ThreadLog& log, const Demand& demand);
// Puts the access into the content, at the current clock of the thread.
void remember(const ThreadLog& log, Content& content, unsigned bytes, bool write);
// Removes the bytes from the content.
void forget(const ThreadLog& log, Content& content, unsigned bytes);

// The content of a cell that the thread has locked.
inline Content content_of(const Cell& cell) {
  const Word written = cell.written.load(std::memory_order_relaxed) & ~kLocked;
  const Word read = cell.read.load(std::memory_order_relaxed);
  return {written, read == written ? 0 : read};
}
inline void unlock(Cell& cell, const Content& content) {
  const bool copied = content.read == 0 && (content.written & kAllNow) == kAllNow;
  cell.read.store(copied ? content.written : content.read, std::memory_order_relaxed);
  cell.written.store(content.written, std::memory_order_release);
}

// Do all of that for an access to one cell: of some bytes, or of all of them.
void touch(ThreadLog& log, Cell& cell, unsigned bytes, bool write);
template <bool kWrite>
void touch_all(ThreadLog& log, Cell& cell);

inline bool is_only_mine(const ThreadLog& log, Word word) {
  return word >= log.first_word && slot_of(word) == log.slot && (word & kFlag) == 0;
}
inline Word with_mine(const ThreadLog& log, Word word, unsigned bytes) {
  const unsigned now = clock_of(word) == log.clock ? now_of(word) : 0;
  return make_word(log.identity, false, own_of(word) | bytes, now | bytes);
}

enum class Touched { kBefore, kNow, kNot };

// Changes a cell that no other thread changes now, and unlocks it. kNot if other threads matter,
// and nothing is changed.
[[gnu::always_inline]] inline Touched touch_mine(const ThreadLog& log, Cell& cell, unsigned bytes,
                                                 bool write) {
  const auto [written, read] = content_of(cell);
  const bool fresh = written == 0 && emptied_clock.load(std::memory_order_relaxed) < log.clock;
  if (!fresh && !is_only_mine(log, written)) return Touched::kNot;
  if (read != 0 && !is_only_mine(log, read)) return Touched::kNot;
  Content content{written, read};
  if (write) {
    const Word left = without_bytes(read, bytes);
    content = {with_mine(log, written, bytes), own_of(left) == 0 ? 0 : left};
  } else if (!is_same_period(written, log.identity) || (bytes & ~now_of(written)) != 0) {
    content.read = with_mine(log, read, bytes) | kReader;
  }
  unlock(cell, content);
  return content.written == written && content.read == read ? Touched::kBefore : Touched::kNow;
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
