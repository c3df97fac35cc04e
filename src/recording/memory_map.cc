// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/memory_map.h"

#include <algorithm>

namespace omnium::recording {

MemoryMap::Page& MemoryMap::page_at(std::uint64_t address) {
  const std::uint64_t number = address / kPageBytes;
  if (number == latest_number_) return *latest_;
  std::unique_ptr<Page>& page = pages_[number];
  if (page == nullptr) page = std::make_unique<Page>();
  latest_number_ = number;
  latest_ = page.get();
  return *page;
}

MemoryMap::Variable& MemoryMap::variable_at(Page& page, std::uint64_t address) {
  if (address % 4 == 0) return page.variable[address % kPageBytes / 4];
  return page.odd_variable.try_emplace(address).first->second;
}

void MemoryMap::add_access(std::uint32_t thread, std::uint64_t address, std::uint32_t size) {
  const std::uint64_t end = address + size;
  for (std::uint64_t group_at = address / 8 * 8; group_at < end; group_at += 8) {
    Page& page = page_at(group_at);
    const std::size_t group = group_at % kPageBytes / 8;
    if (address > group_at) page.cuts[group] |= static_cast<std::uint8_t>(1u << address % 8);
    if (end < group_at + 8) page.cuts[group] |= static_cast<std::uint8_t>(1u << end % 8);
    std::uint32_t& owner = page.thread[group];
    if (owner == kNobody) owner = thread;
    if (owner != thread) owner = kSeveral;
  }
}

void MemoryMap::forget(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  const auto forget_in = [&](std::uint64_t number, Page& page) {
    const std::uint64_t first = std::max(address, number * kPageBytes);
    const std::uint64_t last = std::min(end, (number + 1) * kPageBytes);
    for (std::uint64_t at = (first + 3) / 4 * 4; at < last; at += 4) {
      page.variable[at % kPageBytes / 4] = {};
    }
    std::erase_if(page.odd_variable,
                  [&](const auto& entry) { return entry.first >= first && entry.first < last; });
  };
  if (size / kPageBytes > pages_.size()) {
    for (auto& [number, page] : pages_) {
      if (number >= address / kPageBytes && number * kPageBytes < end) forget_in(number, *page);
    }
    return;
  }
  for (std::uint64_t number = address / kPageBytes; number * kPageBytes < end; ++number) {
    const auto page = pages_.find(number);
    if (page != pages_.end()) forget_in(number, *page->second);
  }
}

void MemoryMap::forget_all() {
  for (auto& [number, page] : pages_) {
    page->variable.fill({});
    page->odd_variable.clear();
  }
}

}  // namespace omnium::recording
