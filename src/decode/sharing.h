// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which memory do threads share? A *life* of a group of eight bytes lasts from its first access
// until it is forgotten. Accesses cut the group into pieces, which become variables. A life needs
// no variables if only one thread accesses it, or if forks and joins already order its accesses:
// then every dependency through it is also one through these forks and joins.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "decode/raw_log.h"

namespace omnium::decode {

// Bit i: a piece of the access begins at byte i of the group of eight, or ends before it.
constexpr std::uint8_t cuts_of(std::uint64_t begin, std::uint64_t end) {
  return static_cast<std::uint8_t>((1u << begin % 8 | 1u << end % 8) & 254);
}

// The access that made a life a shared one. It tells more about the object than the first one,
// which often belongs to a constructor.
struct SharingAccess {
  std::uint64_t place = 0;  // a return address
  std::uint8_t start = 0;   // in the group
  std::uint8_t size = 0;    // 0: no such access is known
  bool write = false;
  auto operator<=>(const SharingAccess&) const = default;
};

// The shared lives of the groups of a page.
struct PageLives {
  struct Life {
    std::uint64_t number = 0;  // among all lives in the page, in the order of their first accesses
    std::uint32_t access = 0;  // index into SharedLives::accesses
    std::uint8_t cuts = 0;     // bit i: a piece starts at byte i
  };
  std::vector<Life> shared;  // by number
  std::uint64_t begun = 0;   // number of lives that have begun
};
struct SharedLives {
  std::unordered_map<std::uint64_t, PageLives> pages;  // by number of the page
  std::vector<SharingAccess> accesses;                 // each once; the first one is unknown
};

// Reads all records in order. Memory is needed for the groups that live, and for the shared lives.
Result<SharedLives> find_shared_lives(RawLog& log);

}  // namespace omnium::decode
