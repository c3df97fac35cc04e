// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Bytes become a new object: they are freed or unmapped, or their thread has left that stack.
#include <algorithm>

#include <sys/mman.h>

#include "runtime/record/order.h"
#include "runtime/record/record.h"

namespace omnium::runtime::record {

namespace {

constexpr std::uintptr_t kPageOfCells = 2048;  // bytes of the program
constexpr std::size_t kLarge = 256 * 1024;

bool is_empty(const Cell& cell) {
  return cell.written.load(std::memory_order_relaxed) == 0 &&
         cell.read.load(std::memory_order_relaxed) == 0;
}

// The event must be later than what the word says of other threads, which may have read at the same
// clock as this thread.
void add_demand_of(const ThreadLog& log, Word word, Demand& demand) {
  const bool alone = slot_of(word) == log.slot && (word & kFlag) == 0;
  std::uint64_t& bound = alone ? demand.at_least : demand.after;
  bound = std::max(bound, clock_of(word));
}

// What happens to bytes: they are freed at `pc`, or forgotten.
struct Manner {
  bool freed = false;
  Pc pc = 0;

  void append_to(ThreadLog& log, std::uintptr_t begin, std::uintptr_t size) const {
    if (!freed) return append(log, wire::RawKind::kForget, begin, size);
    append_operand(log, pc);
    append(log, wire::RawKind::kFree, begin, size);
  }
  void change(const ThreadLog& log, Content& content, unsigned bytes) const {
    if (!freed) return forget(log, content, bytes);
    remember(log, content, bytes, true);
    // It makes no later write redundant: what no other thread touched has no event here.
    content.written &= ~Word{bytes};
  }
};

// Appends one record for each run of cells that are in use. No record may include an empty cell:
// the next event there finds the cell empty, so it does not know this clock and may not follow it.
void append_used(ThreadLog& log, std::uintptr_t address, std::size_t size, Manner manner) {
  std::uintptr_t begin = address, end = address;
  const auto append_row = [&] {
    if (begin != end) manner.append_to(log, begin, end - begin);
  };
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned, unsigned length) {
    if (is_empty(cell_at(piece))) return;
    if (piece != end) {
      append_row();
      begin = piece;
    }
    end = piece + length;
  });
  append_row();
}

// Events on the old object have lower clocks than this event; events on the new one get higher
// clocks from the cells. The records of this event come in between.
void change_cells(ThreadLog& log, std::uintptr_t address, std::size_t size, Manner manner) {
  catch_up(log);
  Demand demand;
  bool any = false;
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned, unsigned) {
    const Content content = content_of(cell_at(piece));
    if (content.written == 0 && content.read == 0) return;
    any = true;
    add_demand_of(log, content.written, demand);
    add_demand_of(log, content.read, demand);
  });
  if (!any) return;
  settle(log, demand);
  // Within one cell it must be one record: it may be a flag that other threads are reading.
  if (address % 8 + size <= 8) {
    manner.append_to(log, address, size);
  } else {
    append_used(log, address, size, manner);
  }
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned bytes, unsigned) {
    Cell& cell = cell_at(piece);
    if (is_empty(cell)) return;
    lock(cell);
    Content content = content_of(cell);
    manner.change(log, content, bytes);
    unlock(cell, content);
  });
}

// Gives whole pages of cells back to the kernel. The first events on the new object must be later
// than the highest clock of all threads.
void empty_cells(ThreadLog& log, std::uintptr_t begin, std::uintptr_t end) {
  set_clock(log, highest_clock() + 1);
  append(log, wire::RawKind::kForget, begin, end - begin);
  std::uint64_t before = emptied_clock.load();
  while (before < log.clock && !emptied_clock.compare_exchange_weak(before, log.clock)) {
  }
  madvise(&cell_at(begin), (end - begin) * 2, MADV_DONTNEED);
}

}  // namespace

void forget_range(ThreadLog& log, const void* pointer, std::size_t size) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (size < kLarge) return change_cells(log, address, size, {});
  const std::uintptr_t begin = (address + kPageOfCells - 1) / kPageOfCells * kPageOfCells;
  const std::uintptr_t end = (address + size) / kPageOfCells * kPageOfCells;
  change_cells(log, address, begin - address, {});
  empty_cells(log, begin, end);
  change_cells(log, end, address + size - end, {});
}

bool is_used_by_others(const ThreadLog& log, std::uintptr_t address, std::size_t size) {
  bool used = false;
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned, unsigned) {
    const Content content = content_of(cell_at(piece));
    used |= content.written != 0 && !is_only_mine(log, content.written);
    used |= content.read != 0 && !is_only_mine(log, content.read);
  });
  return used;
}

void free_range(ThreadLog& log, const void* pointer, std::size_t size, Pc pc) {
  change_cells(log, reinterpret_cast<std::uintptr_t>(pointer), size, {true, pc});
}

void atomic_write_anew(ThreadLog& log, const void* pointer, unsigned size, Pc pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Demand demand;
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned, unsigned) {
    add_demand_of(log, content_of(cell_at(piece)).written, demand);
    add_demand_of(log, content_of(cell_at(piece)).read, demand);
  });
  settle(log, demand);
  append(log, wire::RawKind::kForget, address, size);
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned bytes, unsigned) {
    Content content = content_of(cell_at(piece));
    forget(log, content, bytes);
    remember(log, content, bytes, true);
    unlock(cell_at(piece), content);
  });
  ++log.run_epoch;
  append_sized(log, wire::RawKind::kAtomicWrite, address, size, pc);
}

void allocated(ThreadLog& log, const void* pointer, std::size_t size, Pc pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  catch_up(log);
  // The allocation is later than the event of the thread that freed the block.
  Demand demand;
  add_demand_of(log, content_of(cell_at(address)).written, demand);
  settle(log, demand);
  append_operand(log, size);
  append(log, wire::RawKind::kAllocate, address, pc);
}

}  // namespace omnium::runtime::record
