// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/memory_map.h"

#include <utility>

namespace omnium::decode {

MemoryMap::Content& MemoryMap::new_content(Page& page) {
  if (spare_.empty()) spare_.push_back(std::make_unique<Content>());
  page.content = std::move(spare_.back());
  spare_.pop_back();
  return *page.content;
}

void MemoryMap::begin_life(Page& page, Group& group) {
  group.lives = true;
  ++page.content->living;
  const std::uint64_t number = page.begun++;
  const auto& shared = page.lives->shared;
  if (page.next_shared == shared.size() || shared[page.next_shared].number != number) return;
  group.shared = true;
  const PageLives::Life& life = shared[page.next_shared++];
  group.cuts = life.cuts;
  group.access = life.access;
}

// Forgets bytes within one page. A group that is forgotten only in part lives on.
void MemoryMap::forget_in(Page& page, std::uint64_t begin, std::uint64_t end) {
  if (page.content == nullptr) return;
  Content& content = *page.content;
  for (std::uint64_t next; begin < end; begin = next) {
    next = std::min(end, (begin / 8 + 1) * 8);
    Group& group = content.groups[group_index(begin)];
    if (!group.lives) continue;
    if (group.shared) forget_variables(content, begin, next);
    if (next - begin != 8) continue;
    group = {};
    --content.living;
  }
  if (content.living == 0) spare_.push_back(std::move(page.content));
}

void MemoryMap::forget_variables(Content& content, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t at = begin; at < end; ++at) {
    if (at % 8 == 0) {
      content.groups[group_index(at)].first = {};
    } else if (at % 8 != 4) {
      if (!content.odd_variables.empty()) content.odd_variables.erase(at);
    } else if (content.middles != nullptr) {
      (*content.middles)[group_index(at)] = {};
    }
  }
}

void MemoryMap::forget(std::uint64_t address, std::uint64_t size) {
  pages_.for_each_in(address, size, [&](Page& page, std::uint64_t begin, std::uint64_t end) {
    forget_in(page, begin, end);
    return false;
  });
}

}  // namespace omnium::decode
