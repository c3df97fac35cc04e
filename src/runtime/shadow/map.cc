// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/shadow/map.h"

#include "runtime/system/mapped.h"

namespace omnium::runtime {

namespace {

constexpr std::size_t kChunks = (kFolded + 1) / kChunk;
constexpr std::size_t kChunksPerArea = kChunks >> 12;  // an area: 4 GB of the program
constexpr std::size_t kCellsPerChunk = kChunk / 4;
constexpr std::size_t kPage = 4096;

std::atomic<bool> area_in_use[1 << 12];
bool mapped;

std::size_t number_of(const std::atomic<Owner>& chunk) {
  return static_cast<std::size_t>(&chunk - &owner_of_chunk(0));
}

AtomicCell* first_cell(const std::atomic<Owner>& chunk) {
  const auto number = number_of(chunk);
  return reinterpret_cast<AtomicCell*>(kShadowBase + number * kCellsPerChunk * sizeof(AtomicCell));
}

void clear_run(AtomicCell* first, AtomicCell* last) {
  // Reading a page that was never written costs no memory; writing one would.
  for (AtomicCell* cell = first; cell != last; ++cell) {
    if (!cell->load(std::memory_order_relaxed).is_empty())
      cell->store(Cell(), std::memory_order_relaxed);
  }
}

void clear_all(AtomicCell* first, AtomicCell* last) {
  const auto begin = (reinterpret_cast<std::uintptr_t>(first) + kPage - 1) & ~(kPage - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(last) & ~(kPage - 1);
  if (end <= begin + 4 * kPage) return clear_run(first, last);
  clear_run(first, reinterpret_cast<AtomicCell*>(begin));
  clear_pages(reinterpret_cast<void*>(begin), end - begin);
  clear_run(reinterpret_cast<AtomicCell*>(end), last);
}

// Chunks that lie completely in between belong to nobody again.
void free_chunks(AtomicCell* begin, AtomicCell* end) {
  constexpr std::uintptr_t kBytes = kCellsPerChunk * sizeof(AtomicCell);
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) - kShadowBase + kBytes - 1) / kBytes;
  const auto last = (reinterpret_cast<std::uintptr_t>(end) - kShadowBase) / kBytes;
  for (std::uintptr_t chunk = first; chunk < last; ++chunk) {
    Owner owner = owner_of_chunk(chunk).load(std::memory_order_relaxed);
    if (owner != kNobody && owner != kBecomesShared && (owner & kSuspended) == 0) {
      owner_of_chunk(chunk).compare_exchange_strong(owner, kNobody, std::memory_order_acq_rel);
    }
  }
}

}  // namespace

void map_shadow() {
  map_memory_at(kShadowBase, 2 * (kFolded + 1));
  map_memory_at(kOwnersBase, kChunks * sizeof(Owner));
  mapped = true;
}

bool claim_chunk(std::atomic<Owner>& chunk, Owner owner) {
  const auto area = number_of(chunk) / kChunksPerArea;
  if (!area_in_use[area].load(std::memory_order_relaxed)) area_in_use[area] = true;
  Owner nobody = kNobody;
  return chunk.compare_exchange_strong(nobody, owner, std::memory_order_acq_rel);
}

void clear_cells(std::uintptr_t address, std::size_t size) {
  if (size == 0 || !mapped) return;
  // Words at both ends are cleared as a whole: heap blocks and mappings do not share words with
  // others.
  AtomicCell* const begin = cell_at(address);
  AtomicCell* const end = cell_at(address + size + 3);
  AtomicCell* run = begin;  // [run, first) is to be cleared
  for (AtomicCell *first = begin, *last; first < end; first = last) {
    const std::atomic<Owner>& chunk = owner_of(*first);
    AtomicCell* const chunk_end = first_cell(chunk) + kCellsPerChunk;
    last = chunk_end < end ? chunk_end : end;
    if (chunk.load(std::memory_order_acquire) != kNobody) continue;
    clear_all(run, first);
    run = last;
  }
  if (run < end) clear_all(run, end);
  free_chunks(begin, end);
}

namespace {

template <typename Visit>
void for_each_chunk(Visit visit) {
  for (std::size_t area = 0; area < (1 << 12); ++area) {
    if (!area_in_use[area].load(std::memory_order_acquire)) continue;
    for (std::size_t chunk = area * kChunksPerArea; chunk < (area + 1) * kChunksPerArea; ++chunk) {
      if (owner_of_chunk(chunk).load(std::memory_order_acquire) != kNobody) {
        visit(owner_of_chunk(chunk));
      }
    }
  }
}

}  // namespace

void visit_chunks(void (*visit)(std::atomic<Owner>& chunk)) { for_each_chunk(visit); }

void visit_cells(void (*visit)(AtomicCell& cell, void* context), void* context) {
  for_each_chunk([&](std::atomic<Owner>& chunk) {
    AtomicCell* cell = first_cell(chunk);
    for (AtomicCell* const end = cell + kCellsPerChunk; cell != end; ++cell) {
      if (!cell->load(std::memory_order_relaxed).is_empty()) visit(*cell, context);
    }
  });
}

}  // namespace omnium::runtime
