// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Data about the pages of the program's memory, by their numbers: an open-addressing table with
// linear probing, at most half full. Almost every record looks a page up, in two passes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace omnium::decode {

inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::size_t kGroups = kPageBytes / 8;  // of eight bytes, in a page

constexpr std::size_t group_index(std::uint64_t address) { return address % kPageBytes / 8; }

// A Page can be moved.
template <class Page>
class PageTable {
 public:
  // The page of the address. If there is none, it is made, and start(page, number) is called. The
  // reference is good until another page is made or given up.
  template <class Start>
  Page& at(std::uint64_t address, Start start) {
    const std::uint64_t number = address / kPageBytes;
    Entry& entry = entries_[index_of(number)];
    return entry.number == number ? entry.page : add(number, start);
  }

  // The page of the address; null if there is none.
  const Page* find(std::uint64_t address) const {
    const std::uint64_t number = address / kPageBytes;
    const Entry& entry = entries_[index_of(number)];
    return entry.number == number ? &entry.page : nullptr;
  }

  // Calls visit(page, begin, end) for each page that overlaps the range. Pages for which it returns
  // true are given up.
  template <class Visit>
  void for_each_in(std::uint64_t address, std::uint64_t size, Visit visit) {
    const std::uint64_t end = address + size;
    const auto visit_one = [&](std::uint64_t number) {
      const std::size_t index = index_of(number);
      if (entries_[index].number != number) return;
      const std::uint64_t first = number * kPageBytes;
      if (visit(entries_[index].page, std::max(address, first),
                std::min(end, first + kPageBytes))) {
        erase(index);
      }
    };
    if (size / kPageBytes > entries_.size()) {
      std::vector<std::uint64_t> numbers;
      for (const Entry& entry : entries_) {
        if (entry.number >= address / kPageBytes && entry.number < end / kPageBytes + 1) {
          numbers.push_back(entry.number);
        }
      }
      for (const std::uint64_t number : numbers) visit_one(number);
      return;
    }
    for (std::uint64_t number = address / kPageBytes; number * kPageBytes < end; ++number) {
      visit_one(number);
    }
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (Entry& entry : entries_) {
      if (entry.number != kNoPage) visit(entry.page);
    }
  }

  void clear() {
    entries_ = std::vector<Entry>(kFirstSize);
    count_ = 0;
  }

 private:
  static constexpr std::size_t kFirstSize = 1024;
  static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

  struct Entry {
    std::uint64_t number = kNoPage;
    Page page;
  };

  std::size_t home_of(std::uint64_t number) const {
    return (number * 0x9e3779b97f4a7c15 >> 32) & (entries_.size() - 1);
  }
  // Where the page is, or where it would be put.
  std::size_t index_of(std::uint64_t number) const {
    std::size_t at = home_of(number);
    while (entries_[at].number != number && entries_[at].number != kNoPage) [[unlikely]] {
        at = (at + 1) & (entries_.size() - 1);
      }
    return at;
  }

  template <class Start>
  [[gnu::noinline]] Page& add(std::uint64_t number, Start start) {
    if (2 * ++count_ > entries_.size()) grow();
    Entry& entry = entries_[index_of(number)];
    entry.number = number;
    start(entry.page, number);
    return entry.page;
  }
  void erase(std::size_t hole) {
    --count_;
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t at = (hole + 1) & mask; entries_[at].number != kNoPage; at = (at + 1) & mask) {
      // A page whose home is behind the hole stays where it is.
      if (((at - home_of(entries_[at].number)) & mask) < ((at - hole) & mask)) continue;
      entries_[hole] = std::move(entries_[at]);
      hole = at;
    }
    entries_[hole] = {};
  }
  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (Entry& entry : old) {
      if (entry.number != kNoPage) entries_[index_of(entry.number)] = std::move(entry);
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(kFirstSize);
  std::size_t count_ = 0;
};

}  // namespace omnium::decode
