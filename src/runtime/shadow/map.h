// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where the cell of an address lies: twice the address, folded into 44 bits, above a fixed base.
// Programs live below 2^44, around 0x55.. and 0x7f..; these parts do not meet when folded.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/shadow/cell.h"

namespace omnium::runtime {

inline constexpr std::uintptr_t kShadowBase = 0x100000000000;
inline constexpr std::uintptr_t kFolded = (std::uintptr_t{1} << 44) - 1;
inline constexpr std::size_t kChunk = std::size_t{1} << 16;  // bytes of the program

inline Cell* cell_at(std::uintptr_t address) {
  return reinterpret_cast<Cell*>(kShadowBase + ((address & kFolded) >> 2 << 3));
}
inline Cell* cell_at(const void* address) {
  return cell_at(reinterpret_cast<std::uintptr_t>(address));
}

void map_shadow();

// A cell that was zero gets a content: remembers that its chunk is in use.
void mark_in_use(const Cell* cell);

// The bytes have no story any more.
void clear_cells(std::uintptr_t address, std::size_t size);

// Calls visit(Cell&, context) for every cell that is not zero.
void visit_cells(void (*visit)(Cell& cell, void* context), void* context);

}  // namespace omnium::runtime
