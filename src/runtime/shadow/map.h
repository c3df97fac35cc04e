// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where the cell of an address is: at twice the low 44 bits of the address, above a fixed base.
// Programs use addresses below 2^44 and around 0x55.. and 0x7f..; the low 44 bits of these do not
// collide. Of the addresses with the same low bits only one has the cell (has_cells). A program
// that asks for a mapping at one of the others gets another place (interpose/mapping.cc); if it
// insists, its accesses there are ignored.
//
// Memory is divided into chunks. A chunk without marks belongs to nobody. The thread that makes the
// first mark owns it. When a second thread wants to make a mark, the chunk becomes shared, and
// stays so until all of it is freed. An owner changes cells with plain stores (ownership.h).
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

inline AtomicCell* cell_at(std::uintptr_t address) {
  return reinterpret_cast<AtomicCell*>(kShadowBase + ((address & kFolded) >> 2 << 3));
}
inline AtomicCell* cell_at(const void* address) {
  return cell_at(reinterpret_cast<std::uintptr_t>(address));
}

// By the low bits of an address, in areas of 4 GB: the high bits that an address with cells has.
inline constexpr std::size_t kArea = std::size_t{1} << 32;
extern std::uint8_t high_bits[(kFolded + 1) / kArea];

// Does the address have cells? Nothing may mark the cells for an address that has none.
inline bool has_cells(std::uintptr_t address) {
  return address >> 44 == high_bits[(address & kFolded) / kArea];
}
inline bool has_cells(const void* address) {
  return has_cells(reinterpret_cast<std::uintptr_t>(address));
}

// Chunks are numbered by whole addresses, so that a chunk without cells never has an owner: its
// accesses do not take a fast path.
inline constexpr std::uintptr_t kAddresses = std::uintptr_t{1} << 47;
inline constexpr std::uintptr_t kOwnersBase = kShadowBase - (std::uintptr_t{1} << 36);

inline std::atomic<Owner>& owner_of_chunk(std::uintptr_t number) {
  return reinterpret_cast<std::atomic<Owner>*>(kOwnersBase)[number];
}
inline std::atomic<Owner>& last_chunk() { return owner_of_chunk(kAddresses / kChunk - 1); }
inline std::atomic<Owner>& owner_at(std::uintptr_t address) {
  return owner_of_chunk((address & (kAddresses - 1)) / kChunk);
}
inline std::uintptr_t address_of(const AtomicCell& cell) {
  const std::uintptr_t low = (reinterpret_cast<std::uintptr_t>(&cell) - kShadowBase) / 2;
  return std::uintptr_t{high_bits[low / kArea]} << 44 | low;
}
inline std::atomic<Owner>& owner_of(const AtomicCell& cell) { return owner_at(address_of(cell)); }

// Calls visit(cell, bytes of its word) for each word in [address, address + size).
template <typename Visit>
void for_each_cell(std::uintptr_t address, std::size_t size, Visit visit) {
  AtomicCell* cell = cell_at(address);
  for (unsigned skipped = address % 4; size > 0; ++cell, skipped = 0) {
    const std::size_t count = size < 4 - skipped ? size : 4 - skipped;
    visit(*cell, ((1u << count) - 1) << skipped);
    size -= count;
  }
}

void map_shadow();

// Gives a chunk that nobody owns to the owner. False if another thread was faster.
bool claim_chunk(std::atomic<Owner>& chunk, Owner owner);

// Forgets all that the cells of the bytes say.
void clear_cells(std::uintptr_t address, std::size_t size);
// Forgets it only where another thread than the one in the slot has left a mark.
void clear_cells_of_others(std::uintptr_t address, std::size_t size, std::uint32_t slot);

// Calls visit(chunk's owner) for every chunk with marks.
void visit_chunks(void (*visit)(std::atomic<Owner>& chunk));
// Calls visit(cell, context) for every cell that is not empty.
void visit_cells(void (*visit)(AtomicCell& cell, void* context), void* context);

}  // namespace omnium::runtime
