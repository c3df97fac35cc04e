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

void MemoryMap::set_live() {
  live_ = true;
  lives_.accesses.assign(1, SharingAccess{});
}

void MemoryMap::begin_life(Page& page, Group& group) const {
  group.lives = true;
  ++page.content->living;
  if (live_) group.shared = true;
  if (live_) return;
  const std::uint64_t number = page.begun++;
  const auto& shared = page.lives->shared;
  if (page.next_shared == shared.size() || shared[page.next_shared].number != number) return;
  group.shared = true;
  const PageLives::Life& life = shared[page.next_shared++];
  group.cuts = life.cuts;
  group.access = life.access;
}

void MemoryMap::make_cuts(std::uint64_t address, std::uint64_t size) {
  for (const std::uint64_t end = address + size; address < end;) {
    const std::uint64_t next = std::min(end, (address / 8 + 1) * 8);
    Page& page = page_at(address);
    Content& content = page.content != nullptr ? *page.content : new_content(page);
    Group& group = content.groups[group_index(address)];
    if (!group.lives) begin_life(page, group);
    const auto missing = static_cast<std::uint8_t>(cuts_of(address, next) & ~group.cuts);
    if (missing != 0) cut(content, group, address / 8 * 8, missing);
    address = next;
  }
}

// Cuts the variables of the group before these bytes. Those that were touched become former ones.
void MemoryMap::cut(Content& content, Group& group, std::uint64_t group_address,
                    std::uint8_t cuts) {
  for (unsigned begin = 0, end; begin < 8; begin = end) {
    end = begin + 1;
    while (end < 8 && (group.cuts >> end & 1) == 0) ++end;
    const auto inside = static_cast<std::uint8_t>(bytes_of(begin, end) & ~(1u << begin));
    if ((cuts & inside) == 0) continue;
    Variable& variable = variable_at(content, group_address + begin);
    if (variable.user != kNone) {
      former_[group_address].push_back({variable, bytes_of(begin, end)});
      group.has_former = true;
    }
    variable = {};
  }
  group.cuts |= cuts;
}

void MemoryMap::forget_former(std::uint64_t group_address, std::uint8_t bytes) {
  const auto found = former_.find(group_address);
  if (found == former_.end()) return;
  for (Former& former : found->second) former.bytes &= static_cast<std::uint8_t>(~bytes);
  std::erase_if(found->second, [](const Former& former) { return former.bytes == 0; });
  if (!found->second.empty()) return;
  former_.erase(found);
  Page& page = page_at(group_address);
  if (page.content != nullptr) {
    page.content->groups[group_index(group_address)].has_former = false;
  }
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
    if (group.has_former) forget_former(begin / 8 * 8, bytes_of(begin, next));
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
