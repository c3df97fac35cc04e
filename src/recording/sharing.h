// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which memory do threads share? Each group of eight bytes falls into the pieces that accesses cut
// it into, from its first access until it is forgotten (a "life" of the group). Lives that only one
// thread has a part in need no variables: no other event depends on them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "recording/page_table.h"

namespace omnium::recording {

// The lives of the groups of a page that are shared.
struct PageLives {
  struct Life {
    std::uint64_t number = 0;  // among the lives in the page, by their first accesses
    std::uint8_t cuts = 0;     // bit i: a piece starts at byte i
  };
  std::vector<Life> shared;  // by number
  std::uint64_t begun = 0;   // lives so far
};
using SharedLives = std::unordered_map<std::uint64_t, PageLives>;  // by number of the page

// Where the pieces of an access in one group begin and end.
constexpr std::uint8_t cuts_of(std::uint64_t begin, std::uint64_t end) {
  return static_cast<std::uint8_t>((1u << begin % 8 | 1u << end % 8) & 254);
}

// Looks at all accesses in order; memory holds the groups that live, and the shared lives.
class Sharing {
 public:
  void access(std::uint32_t thread, std::uint64_t address, std::uint64_t size) {
    const std::uint64_t end = address + size;
    if (size == 8 && address % 8 == 0) return access_group(thread, address, 0);
    for (std::uint64_t next; address < end; address = next) {
      next = std::min(end, (address / 8 + 1) * 8);
      access_group(thread, address, cuts_of(address, next));
    }
  }
  void forget(std::uint64_t address, std::uint64_t size);
  // Nothing comes after this.
  SharedLives finish();

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  static constexpr std::uint32_t kSeveral = kNobody - 1;

  struct Group {
    std::uint32_t thread = kNobody;  // kNobody: it does not live; the only one; kSeveral
    std::uint8_t cuts = 0;
    std::uint64_t life = 0;  // number
  };
  struct Page {
    std::array<Group, kGroups> groups;
    std::uint64_t number = 0;
    std::uint32_t living = 0;
    PageLives* lives = nullptr;
  };

  void access_group(std::uint32_t thread, std::uint64_t address, std::uint8_t cuts) {
    Page& page =
        pages_.at(address, [](Page& fresh, std::uint64_t number) { fresh.number = number; });
    Group& group = page.groups[group_index(address)];
    if (group.thread != thread && group.thread != kSeveral) meet(page, group, thread);
    group.cuts |= cuts;
  }
  void meet(Page& page, Group& group, std::uint32_t thread);
  bool forget_in(Page& page, std::uint64_t begin, std::uint64_t end);
  static void end_life(Page& page, Group& group);

  PageTable<Page> pages_;
  SharedLives lives_;
};

}  // namespace omnium::recording
