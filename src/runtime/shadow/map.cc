// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/shadow/map.h"

#include <sys/auxv.h>

#include <algorithm>

#include "runtime/system/mapped.h"

namespace omnium::runtime {

std::uint8_t high_bits[(kFolded + 1) / kArea];

namespace {

constexpr std::size_t kChunks = kAddresses / kChunk;
constexpr std::size_t kChunksPerArea = kArea / kChunk;
constexpr std::size_t kAreas = kChunks / kChunksPerArea;
constexpr std::size_t kCellsPerChunk = kChunk / 4;
constexpr std::size_t kPage = 4096;

std::atomic<bool> area_in_use[kAreas];
bool mapped;

std::size_t number_of(const std::atomic<Owner>& chunk) {
  return static_cast<std::size_t>(&chunk - &owner_of_chunk(0));
}

AtomicCell* first_cell(const std::atomic<Owner>& chunk) {
  return cell_at(number_of(chunk) * kChunk);
}

// The addresses from `begin` to `end` have cells.
void give_cells(std::uintptr_t begin, std::uintptr_t end) {
  for (std::uintptr_t area = begin / kArea; area <= (end - 1) / kArea; ++area) {
    high_bits[area % (kFolded / kArea + 1)] = static_cast<std::uint8_t>(area * kArea >> 44);
  }
}

// The program and its heap, mappings (libraries are among them) and stacks have cells, and
// otherwise low addresses. The kernel may put the program and the mappings so that they collide;
// then the nearest surroundings of each count more.
void choose_addresses() {
  constexpr std::uintptr_t kGiga = std::uintptr_t{1} << 30, kTera = kGiga << 10;
  const auto program = static_cast<std::uintptr_t>(getauxval(AT_PHDR));
  const auto stack = static_cast<std::uintptr_t>(getauxval(AT_RANDOM));
  const auto library = reinterpret_cast<std::uintptr_t>(&high_bits);
  give_cells(library - 8 * kTera, stack);
  give_cells(program, program + kTera);
  give_cells(library - 64 * kGiga, library + 4 * kGiga);
  give_cells(stack - 4 * kGiga, stack + kGiga / 1024);
  give_cells(program, program + 4 * kGiga);
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
void free_chunks(std::uintptr_t begin, std::uintptr_t end) {
  for (std::uintptr_t at = (begin + kChunk - 1) / kChunk * kChunk; at + kChunk <= end;
       at += kChunk) {
    Owner owner = owner_at(at).load(std::memory_order_relaxed);
    if (owner != kNobody && owner != kBecomesShared && (owner & kSuspended) == 0) {
      owner_at(at).compare_exchange_strong(owner, kNobody, std::memory_order_acq_rel);
    }
  }
}

}  // namespace

void map_shadow() {
  choose_addresses();
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

namespace {

void clear_words(std::uintptr_t begin, std::uintptr_t end) {
  clear_all(cell_at(begin), cell_at(begin) + (end - begin) / 4);
}

// Clears the cells in all chunks that have marks.
void clear_chunks(std::uintptr_t begin, std::uintptr_t end) {
  std::uintptr_t run = begin;  // [run, at) is to be cleared
  for (std::uintptr_t at = begin, next; at < end; at = next) {
    next = std::min(end, (at / kChunk + 1) * kChunk);
    if (owner_at(at).load(std::memory_order_acquire) != kNobody) continue;
    clear_words(run, at);
    run = next;
  }
  clear_words(run, end);
  free_chunks(begin, end);
}

}  // namespace

void clear_cells(std::uintptr_t address, std::size_t size) {
  if (size == 0 || !mapped) return;
  // Words at both ends are cleared as a whole: heap blocks and mappings do not share words with
  // others.
  const std::uintptr_t begin = address & ~std::uintptr_t{3};
  const std::uintptr_t end = (address + size + 3) & ~std::uintptr_t{3};
  if (begin / kChunk != (end - 1) / kChunk || size == kChunk) return clear_chunks(begin, end);
  if (owner_at(begin).load(std::memory_order_acquire) != kNobody) clear_words(begin, end);
}

void clear_cells_of_others(std::uintptr_t address, std::size_t size, std::uint32_t slot) {
  AtomicCell* const end = cell_at(address + size + 3);
  for (AtomicCell* cell = cell_at(address); cell < end; ++cell) {
    const Cell content = cell->load(std::memory_order_acquire);
    if (!content.is_only_of(slot)) cell->store(Cell(), std::memory_order_relaxed);
  }
}

namespace {

template <typename Visit>
void for_each_chunk(Visit visit) {
  for (std::size_t area = 0; area < kAreas; ++area) {
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
