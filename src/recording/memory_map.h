// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which variable lies at an address. Variables of a trace do not overlap: each group of eight bytes
// falls into the pieces that accesses cut it into, from its first access until it is forgotten
// (a "life" of the group). Lives that only one thread has a part in have no variables: no other
// event depends on them.
//
// The recording is looked at twice in the same order. The first look finds the lives that are
// shared; memory holds the groups that live, and sixteen bytes for each shared life.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace omnium::recording {

class MemoryMap {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Variable {
    std::uint32_t id = kNone;      // none: a new one
    std::uint32_t writer = kNone;  // the thread of the last write
    std::uint32_t reader = kNone;  // the thread that read it since; kSeveral

    // Is an access the sink of a dependency from another thread?
    bool depends(std::uint32_t thread, bool write) const {
      if (reader == thread) return false;
      return reader != kNone && write ? true : writer != kNone && writer != thread;
    }
    void touch(std::uint32_t thread, bool write) {
      reader = write ? kNone : reader == kNone || reader == thread ? thread : kSeveral;
      if (write) writer = thread;
    }
  };

  // The first look: every access, in order, and forget(); then the second look starts.
  void observe(std::uint32_t thread, std::uint64_t address, std::uint32_t size);
  void start_second_look();

  // Calls visit(address, variable) for each shared piece that the access covers; `variable` is a
  // Variable&.
  template <class Visit>
  void for_each_piece(std::uint64_t address, std::uint32_t size, Visit visit);

  // What lies there from now on are new variables.
  void forget(std::uint64_t address, std::uint64_t size);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::size_t kGroups = kPageBytes / 8;
  static constexpr std::uint32_t kNobody = kNone;
  static constexpr std::uint32_t kSeveral = kNobody - 1;
  static constexpr std::uint32_t kSomebody = kNobody - 2;
  static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

  struct Group {
    std::uint32_t thread = kNobody;  // kNobody: it does not live; the only one; kSeveral
    std::uint8_t cuts = 0;           // bit i: a piece starts at byte i
    std::uint64_t life = 0;          // number, in the order of the first accesses
  };
  struct Page {
    std::array<Group, kGroups> groups;
    std::uint32_t living = 0;
    std::unique_ptr<std::array<Variable, 2 * kGroups>> variables;  // that start at bytes 0 and 4
    std::unordered_map<std::uint64_t, Variable> odd_variables;     // others, by address
  };
  struct Latest {
    std::uint64_t number = kNoPage;
    Page* page = nullptr;
  };
  static constexpr std::size_t kLatest = 256;
  struct SharedLife {
    std::uint64_t life;
    std::uint8_t cuts;
  };

  Page& find_page(std::uint64_t number);
  Page& page_at(std::uint64_t address) {
    const std::uint64_t number = address / kPageBytes;
    const Latest& latest = latest_[number % kLatest];
    return latest.number == number ? *latest.page : find_page(number);
  }
  static Variable& variable_at(Page& page, std::uint64_t address);
  void begin_life(Page& page, Group& group, std::uint32_t thread);
  static void cut(Group& group, std::uint64_t address) {
    group.cuts |= static_cast<std::uint8_t>(1u << address % 8);
  }
  static void forget_variables(Page& page, std::uint64_t begin, std::uint64_t end);
  void forget_in(Page& page, std::uint64_t begin, std::uint64_t end);
  void end_life(Page& page, Group& group);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Latest, kLatest> latest_{};  // pages that were found
  bool observing_ = true;
  std::uint64_t next_life_ = 0;
  std::vector<SharedLife> shared_;  // by life when the second look starts
  std::size_t next_shared_ = 0;     // the first that has not begun
};

template <class Visit>
void MemoryMap::for_each_piece(std::uint64_t address, std::uint32_t size, Visit visit) {
  for (const std::uint64_t end = address + size; address < end;) {
    Page& page = page_at(address);
    Group& group = page.groups[address % kPageBytes / 8];
    const std::uint64_t group_end = std::min(end, (address / 8 + 1) * 8);
    if (group.thread == kNobody) begin_life(page, group, kSomebody);
    if (group.thread != kSeveral) {
      address = group_end;
      continue;
    }
    while (address < group_end) {
      std::uint64_t next = address + 1;
      while (next < group_end && (group.cuts >> next % 8 & 1) == 0) ++next;
      visit(address, variable_at(page, address));
      address = next;
    }
  }
}

}  // namespace omnium::recording
