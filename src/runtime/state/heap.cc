// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/heap.h"

#include "runtime/system/mapped.h"

namespace omnium::runtime {

namespace {

// A hash table: of two blocks with the same index, the later one replaces the earlier. Blocks start
// at multiples of 16. Blocks of one page have neighbouring entries, so that a short program writes
// few pages here.
struct Entry {
  std::uintptr_t address;
  std::size_t size;
  Pc pc;
  std::uint32_t thread;
};
constexpr std::size_t kPages = std::size_t{1} << 11, kPerPage = 4096 / 16;
constexpr std::size_t kEntries = kPages * kPerPage;
Entry* entries;

Entry& entry_of(std::uintptr_t address) {
  const std::size_t page = (address >> 12) * 0x9E3779B97F4A7C15u >> 53;
  return entries[page * kPerPage + (address >> 4) % kPerPage];
}

}  // namespace

void map_heap_table() { entries = map_array<Entry>(kEntries); }
const void* heap_table() { return entries; }

void add_heap_block(const void* address, std::size_t size, Pc pc, std::uint32_t thread_number) {
  if (entries == nullptr) return;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  entry_of(place) = {place, size, pc, thread_number};
}

void remove_heap_block(const void* address) {
  if (entries == nullptr) return;
  Entry& entry = entry_of(reinterpret_cast<std::uintptr_t>(address));
  if (entry.address == reinterpret_cast<std::uintptr_t>(address)) entry.address = 0;
}

bool find_heap_block(std::uintptr_t address, wire::HeapBlock& found, std::uintptr_t farthest) {
  if (entries == nullptr) return false;
  const std::uintptr_t first = address & ~std::uintptr_t{15};
  for (std::uintptr_t back = 0; back < farthest && back <= first; back += 16) {
    const Entry entry = entry_of(first - back);
    if (entry.address != first - back) continue;
    if (address - entry.address >= entry.size) return false;  // the block ends before the address
    found = {entry.address, entry.size, entry.pc, entry.thread, 0};
    return true;
  }
  return false;
}

}  // namespace omnium::runtime
