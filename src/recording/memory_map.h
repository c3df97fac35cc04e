// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which variable lies at an address. Variables of a trace do not overlap: each group of eight bytes
// falls into the pieces that accesses of the whole recording cut it into.
//
// Groups that only one thread ever touches have no variables: no other event depends on them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace omnium::recording {

class MemoryMap {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Variable {
    std::uint32_t id = kNone;      // none: a new one
    std::uint32_t thread = kNone;  // of its last access
  };

  // Before anything else: every access of the recording, in any order.
  void add_access(std::uint32_t thread, std::uint64_t address, std::uint32_t size);

  // Calls visit(address, variable) for each shared piece that the access covers; `variable` is a
  // Variable&.
  template <class Visit>
  void for_each_piece(std::uint64_t address, std::uint32_t size, Visit visit);

  // What lies there from now on are new variables.
  void forget(std::uint64_t address, std::uint64_t size);
  void forget_all();

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::size_t kGroups = kPageBytes / 8;
  static constexpr std::uint32_t kNobody = kNone;
  static constexpr std::uint32_t kSeveral = kNobody - 1;

  struct Page {
    Page() { thread.fill(kNobody); }
    std::array<std::uint32_t, kGroups> thread;     // the only one, or kSeveral
    std::array<std::uint8_t, kGroups> cuts{};      // bit i: a piece starts at byte i
    std::array<Variable, 2 * kGroups> variable{};  // of pieces that start at bytes 0 and 4
    std::unordered_map<std::uint64_t, Variable> odd_variable;  // of others, by address
  };

  Page& page_at(std::uint64_t address);
  static Variable& variable_at(Page& page, std::uint64_t address);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t latest_number_ = ~std::uint64_t{0};
  Page* latest_ = nullptr;
};

template <class Visit>
void MemoryMap::for_each_piece(std::uint64_t address, std::uint32_t size, Visit visit) {
  for (const std::uint64_t end = address + size; address < end;) {
    Page& page = page_at(address);
    const std::size_t group = address % kPageBytes / 8;
    const std::uint64_t group_end = std::min(end, (address / 8 + 1) * 8);
    if (page.thread[group] != kSeveral) {
      address = group_end;
      continue;
    }
    while (address < group_end) {
      std::uint64_t next = address + 1;
      while (next < group_end && (page.cuts[group] >> next % 8 & 1) == 0) ++next;
      visit(address, variable_at(page, address));
      address = next;
    }
  }
}

}  // namespace omnium::recording
