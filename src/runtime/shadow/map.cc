// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/shadow/map.h"

#include "runtime/mapped.h"

namespace omnium::runtime {

namespace {

constexpr std::size_t kChunks = (kFolded + 1) / kChunk;
constexpr std::size_t kChunksPerArea = kChunks >> 12;  // an area: 4 GB of the program
constexpr std::size_t kCellsPerChunk = kChunk / 4;
constexpr std::size_t kPage = 4096;

bool area_in_use[1 << 12];
bool* chunk_in_use;

std::size_t chunk_of(const Cell* cell) {
  return (reinterpret_cast<std::uintptr_t>(cell) - kShadowBase) / (2 * kChunk);
}

void clear_run(Cell* first, Cell* last) {
  // Reading a page that was never written costs no memory; writing one would.
  for (Cell* cell = first; cell != last; ++cell) {
    if (cell->load(std::memory_order_relaxed) != 0) cell->store(0, std::memory_order_relaxed);
  }
}

void clear_chunk_part(Cell* first, Cell* last) {
  const auto begin = (reinterpret_cast<std::uintptr_t>(first) + kPage - 1) & ~(kPage - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(last) & ~(kPage - 1);
  if (end <= begin + 4 * kPage) return clear_run(first, last);
  clear_run(first, reinterpret_cast<Cell*>(begin));
  clear_pages(reinterpret_cast<void*>(begin), end - begin);
  clear_run(reinterpret_cast<Cell*>(end), last);
}

}  // namespace

void map_shadow() {
  map_memory_at(kShadowBase, 2 * (kFolded + 1));
  chunk_in_use = map_array<bool>(kChunks);
}

void mark_in_use(const Cell* cell) {
  const std::size_t chunk = chunk_of(cell);
  if (chunk_in_use[chunk]) return;
  area_in_use[chunk / kChunksPerArea] = true;
  chunk_in_use[chunk] = true;
}

void clear_cells(std::uintptr_t address, std::size_t size) {
  if (size == 0 || chunk_in_use == nullptr) return;
  // A word at either end may belong to a neighbour as well: blocks of the heap and mappings do not
  // share words.
  Cell* const end = cell_at(address + size + 3);
  for (Cell* first = cell_at(address); first < end;) {
    const std::size_t chunk = chunk_of(first);
    Cell* const chunk_end =
        reinterpret_cast<Cell*>(kShadowBase + (chunk + 1) * kCellsPerChunk * sizeof(Cell));
    Cell* const last = chunk_end < end ? chunk_end : end;
    if (chunk_in_use[chunk]) clear_chunk_part(first, last);
    first = last;
  }
}

void visit_cells(void (*visit)(Cell& cell, void* context), void* context) {
  for (std::size_t area = 0; area < (1 << 12); ++area) {
    if (!area_in_use[area]) continue;
    for (std::size_t chunk = area * kChunksPerArea; chunk < (area + 1) * kChunksPerArea; ++chunk) {
      if (!chunk_in_use[chunk]) continue;
      Cell* cell = reinterpret_cast<Cell*>(kShadowBase + chunk * kCellsPerChunk * sizeof(Cell));
      for (Cell* const end = cell + kCellsPerChunk; cell != end; ++cell) {
        if (cell->load(std::memory_order_relaxed) != 0) visit(*cell, context);
      }
    }
  }
}

}  // namespace omnium::runtime
