// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where the cell of an address is: at twice the low 44 bits of the address, above a fixed base.
// Programs use addresses below 2^44 and around 0x55.. and 0x7f..; the low 44 bits of these do not
// collide.
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

inline constexpr std::uintptr_t kOwnersBase = kShadowBase - (std::uintptr_t{1} << 36);

inline std::atomic<Owner>& owner_of_chunk(std::uintptr_t number) {
  return reinterpret_cast<std::atomic<Owner>*>(kOwnersBase)[number];
}
inline std::atomic<Owner>& last_chunk() { return owner_of_chunk(kFolded / kChunk); }
inline std::atomic<Owner>& owner_at(std::uintptr_t address) {
  return owner_of_chunk((address & kFolded) / kChunk);
}
inline std::atomic<Owner>& owner_of(const AtomicCell& cell) {
  return owner_of_chunk(reinterpret_cast<std::uintptr_t>(&cell) / (2 * kChunk) -
                        kShadowBase / (2 * kChunk));
}

void map_shadow();

// Gives a chunk that nobody owns to the owner. False if another thread was faster.
bool claim_chunk(std::atomic<Owner>& chunk, Owner owner);

// Forgets all that the cells of the bytes say.
void clear_cells(std::uintptr_t address, std::size_t size);

// Calls visit(chunk's owner) for every chunk with marks.
void visit_chunks(void (*visit)(std::atomic<Owner>& chunk));
// Calls visit(cell, context) for every cell that is not empty.
void visit_cells(void (*visit)(AtomicCell& cell, void* context), void* context);

}  // namespace omnium::runtime
