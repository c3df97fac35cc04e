// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/record/order.h"
#include "runtime/record/record.h"

namespace omnium::runtime::record {

namespace {

constexpr std::size_t kMaxAtOnce = 16;

wire::RawKind kind_of(bool write) { return write ? wire::RawKind::kWrite : wire::RawKind::kRead; }

bool is_redundant(const ThreadLog& log, const Cell& cell, unsigned bytes, bool write) {
  return write ? is_redundant<true>(log, cell, bytes) : is_redundant<false>(log, cell, bytes);
}

}  // namespace

void access(ThreadLog& log, const void* pointer, std::size_t size, bool write, Pc pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (size <= kMaxAtOnce && address % 8 + size > 8) {  // one event in several cells
    atomic_begin(log, pointer, static_cast<unsigned>(size));
    atomic_end(log, pointer, static_cast<unsigned>(size), kind_of(write), pc);
    return;
  }
  catch_up(log);
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned bytes, unsigned length) {
    const bool redundant = is_redundant(log, cell_at(piece), bytes, write);
    if (redundant && thins_out) return;
    if (!redundant) {
      touch(log, cell_at(piece), bytes, write);
      note_access(log, piece);
    }
    append_access(log, kind_of(write), piece, length, pc);
  });
}

void atomic_begin(ThreadLog& log, const void* pointer, unsigned size) {
  catch_up(log);
  for_each_piece(reinterpret_cast<std::uintptr_t>(pointer), size,
                 [](std::uintptr_t piece, unsigned, unsigned) { lock(cell_at(piece)); });
}

void atomic_abandoned(const void* pointer, unsigned size) {
  for_each_piece(reinterpret_cast<std::uintptr_t>(pointer), size,
                 [](std::uintptr_t piece, unsigned, unsigned) {
                   Cell& cell = cell_at(piece);
                   unlock(cell, content_of(cell));
                 });
}

void atomic_end(ThreadLog& log, const void* pointer, unsigned size, wire::RawKind kind, Pc pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const bool plain = kind == wire::RawKind::kRead || kind == wire::RawKind::kWrite;
  const bool write = wire::is_write(kind);
  bool redundant = plain;
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned bytes, unsigned) {
    redundant &= is_redundant(log, cell_at(piece), bytes, write);
  });
  Demand demand;
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned bytes, unsigned) {
    if (!redundant) add_demand(log, content_of(cell_at(piece)), bytes, write, demand);
  });
  if (!redundant) settle(log, demand);
  if (kind == wire::RawKind::kRetry) begin_placed(log);
  for_each_piece(address, size, [&](std::uintptr_t piece, unsigned bytes, unsigned) {
    Cell& cell = cell_at(piece);
    Content content = content_of(cell);
    if (!redundant) remember(log, content, bytes, write);
    unlock(cell, content);
  });
  if (!redundant) note_access(log, address);
  if (kind == wire::RawKind::kAtomicRead || kind == wire::RawKind::kRetry) {
    log.loaded_at = pc;
    log.loaded = address;
  } else if (!plain) {
    log.loaded_at = 0;
  }
  if (redundant && thins_out) return;
  ++log.run_epoch;
  append_sized(log, kind, address, size, pc);
  if (kind == wire::RawKind::kRetry) end_placed(log);
}

}  // namespace omnium::runtime::record
