// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/record/order.h"

#include <algorithm>

namespace omnium::runtime::record {

std::atomic<std::uint64_t> emptied_clock{0};

namespace {

// Slots are used again, so a word that is older than the thread is another thread's.
bool is_mine(const ThreadLog& log, Word word) {
  return slot_of(word) == log.slot && clock_of(word) >= log.first_clock;
}

// Do the events in the slot up to that clock precede the current period of the thread? (Nothing is
// known about an earlier thread in the slot, unless all of it precedes the current one.)
bool knows(const ThreadLog& log, std::uint32_t slot, std::uint64_t clock) {
  return log.known[slot] >= clock && clock >= first_known[slot].load(std::memory_order_relaxed);
}

// Demands of the last writes of the bytes, for any access.
void add_demand_of_writes(ThreadLog& log, Word written, unsigned bytes, Demand& demand) {
  if (written == 0) {
    demand.after = std::max(demand.after, emptied_clock.load(std::memory_order_relaxed));
    return;
  }
  const std::uint32_t slot = slot_of(written);
  const unsigned own = own_of(written);
  const bool hidden = (written & kFlag) != 0 && (bytes & ~own) != 0;
  if (is_mine(log, written)) {
    demand.news |= hidden;
    return;
  }
  const std::uint64_t clock = clock_of(written);
  demand.after = std::max(demand.after, clock);
  if (knows(log, slot, clock)) {
    demand.news |= hidden;
  } else if (own != 0 || (written & kFlag) != 0) {
    demand.news = true;
    // Only a byte that was written at exactly this clock makes the writer's clock known.
    if ((bytes & now_of(written)) != 0) log.known[slot] = clock;
  }
}

// Demands of the reads of the bytes, for a write.
void add_demand_of_reads(ThreadLog& log, Word read, unsigned bytes, Demand& demand) {
  if (read == 0) return;
  const std::uint32_t slot = slot_of(read);
  const std::uint64_t clock = clock_of(read);
  if (slot == kSharedSlot || (read & kFlag) != 0) {
    demand.after = std::max(demand.after, clock);
    demand.news = true;
  } else if (!is_mine(log, read) && (own_of(read) & bytes) != 0) {
    demand.after = std::max(demand.after, clock);
    if (knows(log, slot, clock)) return;
    demand.news = true;
    if ((now_of(read) & bytes) != 0) log.known[slot] = clock;
  }
}

Word after_write(const ThreadLog& log, Word written, unsigned bytes) {
  unsigned own = bytes, now = bytes;
  bool hidden = (written & kFlag) != 0;
  if (is_mine(log, written)) {
    own |= own_of(written);
    if (clock_of(written) == log.clock) now |= now_of(written);
  } else if (written != 0) {
    hidden |= (own_of(written) & ~bytes) != 0 && !knows(log, slot_of(written), clock_of(written));
  }
  return make_word(log.identity, hidden && own != kAllBytes, own, now);
}

// `read` is a single reader's word or empty.
Word after_read_of_single(const ThreadLog& log, Word read, unsigned bytes) {
  const Word mine = log.identity | kReader;
  if (read == 0) return make_word(mine, false, bytes, bytes);
  const bool several = (read & kFlag) != 0;
  const std::uint32_t slot = slot_of(read);
  if (is_mine(log, read)) {
    const unsigned now = clock_of(read) == log.clock ? now_of(read) | bytes : bytes;
    return make_word(mine, several, own_of(read) | bytes, now);
  }
  if (clock_of(read) == log.clock && slot < kSharers && log.slot < kSharers) {
    return identity_of(kSharedSlot, log.clock) | set_bits<Halves::kCovered>(slot, now_of(read)) |
           set_bits<Halves::kCovered>(log.slot, bytes);
  }
  return make_word(mine, true, bytes, bytes);
}

Word after_read(const ThreadLog& log, Word read, unsigned bytes) {
  if (read == 0 || slot_of(read) != kSharedSlot) return after_read_of_single(log, read, bytes);
  const Word mine = log.slot < kSharers ? set_bits<Halves::kCovered>(log.slot, bytes) : 0;
  return clock_of(read) == log.clock ? read | mine : identity_of(kSharedSlot, log.clock) | mine;
}

// Removes the reads of these bytes.
Word without_reads(Word read, unsigned bytes) {
  if (read == 0 || bytes == kAllBytes) return 0;
  if (slot_of(read) == kSharedSlot) {
    Word gone = 0;
    for (std::uint32_t slot = 0; slot < kSharers; ++slot) {
      gone |= set_bits<Halves::kTouched>(slot, bytes);
    }
    return read & ~gone;
  }
  const Word left = without_bytes(read, bytes);
  return own_of(left) == 0 && (left & kFlag) == 0 ? 0 : left;
}

// If all bytes are forgotten, none has an owner, so nothing depends on them. Bytes that are left
// are the thread's own, or have writers that the thread may not know of.
Word after_forget(const ThreadLog& log, Word written, unsigned bytes) {
  if (bytes == kAllBytes || written == 0) return make_word(log.identity, false, 0, 0);
  const unsigned own = is_mine(log, written) ? own_of(written) & ~bytes : 0;
  return make_word(log.identity, own == 0 || (written & kFlag) != 0, own, 0);
}

}  // namespace

void add_demand(ThreadLog& log, const Content& content, unsigned bytes, bool write,
                Demand& demand) {
  add_demand_of_writes(log, content.written, bytes, demand);
  if (write) {
    add_demand_of_reads(log, content.read, bytes, demand);
  } else {
    // Reads need no order among themselves, but the word has only one clock: the highest.
    demand.at_least = std::max(demand.at_least, clock_of(content.read));
  }
}

void settle(ThreadLog& log, const Demand& demand) {
  std::uint64_t needed = std::max(demand.after + 1, demand.at_least);
  if (demand.after != 0 || demand.news) needed = std::max(needed, after_placed());
  if (needed > log.clock) {
    set_clock(log, needed);
  } else if (demand.news) {
    advance(log);
  }
}

void remember(const ThreadLog& log, Content& content, unsigned bytes, bool write) {
  if (write) {
    content.written = after_write(log, content.written, bytes);
    content.read = without_reads(content.read, bytes);
    return;
  }
  content.read = after_read(log, content.read, bytes);
  // The next write of the writer must come after this read, so it is not redundant.
  if (!is_mine(log, content.written)) content.written &= ~Word{bytes};
}

namespace {

// The part of `touch` that considers other threads.
[[gnu::always_inline]] inline void touch_shared(ThreadLog& log, Cell& cell, unsigned bytes,
                                                bool write) {
  Content content = content_of(cell);
  Demand demand;
  add_demand(log, content, bytes, write, demand);
  settle(log, demand);
  remember(log, content, bytes, write);
  unlock(cell, content);
}

}  // namespace

void touch(ThreadLog& log, Cell& cell, unsigned bytes, bool write) {
  overflow_now_or_not();
  lock(cell);
  if (touch_mine(log, cell, bytes, write) == Touched::kNot) touch_shared(log, cell, bytes, write);
}

// A write of all bytes needs no lock. In a program without data races no other thread uses the cell
// at the same time; in one with races the order of the two accesses is not known anyway.
template <bool kWrite>
[[gnu::flatten]] void touch_all(ThreadLog& log, Cell& cell) {
  overflow_now_or_not();
  if (!kWrite || (cell.written.load(std::memory_order_relaxed) & kLocked) != 0) lock(cell);
  if (touch_mine(log, cell, kAllBytes, kWrite) != Touched::kNot) return;
  touch_shared(log, cell, kAllBytes, kWrite);
}
template void touch_all<false>(ThreadLog& log, Cell& cell);
template void touch_all<true>(ThreadLog& log, Cell& cell);

void forget(const ThreadLog& log, Content& content, unsigned bytes) {
  content.written = after_forget(log, content.written, bytes);
  content.read = without_reads(content.read, bytes);
}

}  // namespace omnium::runtime::record
