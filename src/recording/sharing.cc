// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sharing.h"

#include <utility>

namespace omnium::recording {

void Sharing::meet(Page& page, Group& group, std::uint32_t thread) {
  if (group.thread != kNobody) {
    group.thread = kSeveral;
    return;
  }
  if (page.living++ == 0) page.lives = &lives_[page.number];
  group.thread = thread;
  group.life = page.lives->begun++;
}

void Sharing::end_life(Page& page, Group& group) {
  if (group.thread == kSeveral) page.lives->shared.push_back({group.life, group.cuts});
  group = {};
  --page.living;
}

// A group that is forgotten in parts lives on, with pieces that fit. Returns whether nothing lives.
bool Sharing::forget_in(Page& page, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t next; begin < end; begin = next) {
    next = std::min(end, (begin / 8 + 1) * 8);
    Group& group = page.groups[group_index(begin)];
    if (group.thread == kNobody) continue;
    group.cuts |= cuts_of(begin, next);
    if (next - begin == 8) end_life(page, group);
  }
  return page.living == 0;
}

void Sharing::forget(std::uint64_t address, std::uint64_t size) {
  pages_.for_each_in(address, size, [&](Page& page, std::uint64_t begin, std::uint64_t end) {
    return forget_in(page, begin, end);
  });
}

SharedLives Sharing::finish() {
  pages_.for_each([&](Page& page) {
    const std::uint64_t begin = page.number * kPageBytes;
    forget_in(page, begin, begin + kPageBytes);
  });
  pages_.clear();
  std::erase_if(lives_, [](const auto& entry) { return entry.second.shared.empty(); });
  for (auto& [number, lives] : lives_) {
    std::ranges::sort(lives.shared, {}, &PageLives::Life::number);
  }
  return std::move(lives_);
}

}  // namespace omnium::recording
