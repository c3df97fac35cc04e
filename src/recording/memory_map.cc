// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/memory_map.h"

#include <algorithm>

namespace omnium::recording {

MemoryMap::Page& MemoryMap::find_page(std::uint64_t number) {
  std::unique_ptr<Page>& page = pages_[number];
  if (page == nullptr) page = std::make_unique<Page>();
  latest_[number % kLatest] = {number, page.get()};
  return *page;
}

MemoryMap::Variable& MemoryMap::variable_at(Page& page, std::uint64_t address) {
  if (address % 4 != 0) return page.odd_variables[address];
  if (page.variables == nullptr)
    page.variables = std::make_unique<std::array<Variable, 2 * kGroups>>();
  return (*page.variables)[address % kPageBytes / 4];
}

void MemoryMap::begin_life(Page& page, Group& group, std::uint32_t thread) {
  group.thread = thread;
  group.life = next_life_++;
  ++page.living;
  if (observing_ || next_shared_ == shared_.size() || shared_[next_shared_].life != group.life) {
    return;
  }
  group.thread = kSeveral;
  group.cuts = shared_[next_shared_++].cuts;
}

void MemoryMap::end_life(Page& page, Group& group) {
  if (observing_ && group.thread == kSeveral) shared_.push_back({group.life, group.cuts});
  group = {};
  --page.living;
}

void MemoryMap::observe(std::uint32_t thread, std::uint64_t address, std::uint32_t size) {
  const std::uint64_t end = address + size;
  for (std::uint64_t group_at = address / 8 * 8; group_at < end; group_at += 8) {
    Page& page = page_at(group_at);
    Group& group = page.groups[group_at % kPageBytes / 8];
    if (group.thread == kNobody) begin_life(page, group, thread);
    if (group.thread != thread) group.thread = kSeveral;
    if (address > group_at) cut(group, address);
    if (end < group_at + 8) cut(group, end);
  }
}

void MemoryMap::start_second_look() {
  for (auto& [number, page] : pages_)
    forget_in(*page, number * kPageBytes, (number + 1) * kPageBytes);
  if (observing_) std::ranges::sort(shared_, {}, &SharedLife::life);
  pages_.clear();
  latest_.fill({});
  observing_ = false;
  next_life_ = 0;
  next_shared_ = 0;
}

// Within one page. A group that is forgotten in parts lives on, with pieces that fit.
void MemoryMap::forget_in(Page& page, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t first = begin, last; first < end; first = last) {
    last = std::min(end, (first / 8 + 1) * 8);
    Group& group = page.groups[first % kPageBytes / 8];
    if (group.thread == kNobody) continue;
    if (group.thread == kSeveral && !observing_) forget_variables(page, first, last);
    cut(group, first);
    cut(group, last);
    if (last - first == 8) end_life(page, group);
  }
}

void MemoryMap::forget_variables(Page& page, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t at = begin; at < end; ++at) {
    if (at % 4 != 0) {
      page.odd_variables.erase(at);
    } else if (page.variables != nullptr) {
      (*page.variables)[at % kPageBytes / 4] = {};
    }
  }
}

void MemoryMap::forget(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  const auto forget_page = [&](auto page) {
    const std::uint64_t first = page->first * kPageBytes;
    forget_in(*page->second, std::max(address, first), std::min(end, first + kPageBytes));
    if (page->second->living != 0) return std::next(page);
    latest_[page->first % kLatest] = {};
    return pages_.erase(page);
  };
  if (size / kPageBytes > pages_.size()) {
    for (auto page = pages_.begin(); page != pages_.end();) {
      const bool overlaps = page->first >= address / kPageBytes && page->first * kPageBytes < end;
      page = overlaps ? forget_page(page) : std::next(page);
    }
    return;
  }
  for (std::uint64_t number = address / kPageBytes; number * kPageBytes < end; ++number) {
    if (const auto page = pages_.find(number); page != pages_.end()) forget_page(page);
  }
}

}  // namespace omnium::recording
