// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where the cell of an address lies: twice the address, folded into 44 bits, above a fixed base.
// Programs live below 2^44, around 0x55.. and 0x7f..; these parts do not meet when folded.
//
// Memory comes in chunks. A chunk without marks belongs to nobody; who makes the first mark owns
// it; when a second thread wants to make one it is shared for good, or until all of it is freed.
// The owner changes cells with plain stores (online/ownership.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/shadow/cell.h"
#include "runtime/state/owner.h"

namespace omnium::runtime {

inline constexpr std::uintptr_t kShadowBase = 0x100000000000;
inline constexpr std::uintptr_t kFolded = (std::uintptr_t{1} << 44) - 1;
inline constexpr std::size_t kChunk = std::size_t{1} << 14;  // bytes of the program

inline Cell* cell_at(std::uintptr_t address) {
  return reinterpret_cast<Cell*>(kShadowBase + ((address & kFolded) >> 2 << 3));
}
inline Cell* cell_at(const void* address) {
  return cell_at(reinterpret_cast<std::uintptr_t>(address));
}

inline constexpr std::uintptr_t kOwnersBase = kShadowBase - (std::uintptr_t{1} << 36);

inline std::atomic<Owner>& owner_of_chunk(std::uintptr_t number) {
  return reinterpret_cast<std::atomic<Owner>*>(kOwnersBase)[number];
}
inline std::atomic<Owner>& last_chunk() { return owner_of_chunk(kFolded / kChunk); }
inline std::atomic<Owner>& owner_at(std::uintptr_t address) {
  return owner_of_chunk((address & kFolded) / kChunk);
}
inline std::atomic<Owner>& owner_of(const Cell& cell) {
  return owner_of_chunk(reinterpret_cast<std::uintptr_t>(&cell) / (2 * kChunk) -
                        kShadowBase / (2 * kChunk));
}

void map_shadow();

// Makes a chunk that nobody owns the new owner's; false if somebody was faster.
bool claim_chunk(std::atomic<Owner>& chunk, Owner owner);

// The bytes have no story any more.
void clear_cells(std::uintptr_t address, std::size_t size);

// Calls visit(chunk's owner) for every chunk with marks.
void visit_chunks(void (*visit)(std::atomic<Owner>& chunk));
// Calls visit(Cell&, context) for every cell that is not zero.
void visit_cells(void (*visit)(Cell& cell, void* context), void* context);

}  // namespace omnium::runtime
