// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is kept of the pages of the program's memory, by number. The pages that were asked for
// lately are found at once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace omnium::recording {

inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::size_t kGroups = kPageBytes / 8;  // of eight bytes, in a page

constexpr std::size_t group_index(std::uint64_t address) { return address % kPageBytes / 8; }

template <class Page>
class PageTable {
 public:
  // The page of the address. If it is not there: a new one, start(page, number) is called first.
  template <class Start>
  Page& at(std::uint64_t address, Start start) {
    const std::uint64_t number = address / kPageBytes;
    const Latest& latest = latest_[number % kLatest];
    return latest.number == number ? *latest.page : find(number, start);
  }

  // Calls visit(page, begin, end) for each page that is there and overlaps the range. Those of
  // which it returns true are given up; they must be like new.
  template <class Visit>
  void for_each_in(std::uint64_t address, std::uint64_t size, Visit visit) {
    const std::uint64_t end = address + size;
    const auto visit_one = [&](auto entry) {
      const std::uint64_t first = entry->first * kPageBytes;
      if (!visit(*entry->second, std::max(address, first), std::min(end, first + kPageBytes))) {
        return std::next(entry);
      }
      latest_[entry->first % kLatest] = {};
      if (spare_.size() < kMaxSpare) spare_.push_back(std::move(entry->second));
      return pages_.erase(entry);
    };
    if (size / kPageBytes > pages_.size()) {
      for (auto entry = pages_.begin(); entry != pages_.end();) {
        const bool overlaps =
            entry->first >= address / kPageBytes && entry->first * kPageBytes < end;
        entry = overlaps ? visit_one(entry) : std::next(entry);
      }
      return;
    }
    for (std::uint64_t number = address / kPageBytes; number * kPageBytes < end; ++number) {
      if (const auto entry = pages_.find(number); entry != pages_.end()) visit_one(entry);
    }
  }

  template <class Visit>
  void for_each(Visit visit) {
    for (auto& [number, page] : pages_) visit(*page);
  }

  void clear() {
    pages_.clear();
    latest_.fill({});
  }

 private:
  static constexpr std::size_t kLatest = 1024;
  static constexpr std::size_t kMaxSpare = 64;
  static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

  struct Latest {
    std::uint64_t number = kNoPage;
    Page* page = nullptr;
  };

  template <class Start>
  [[gnu::noinline]] Page& find(std::uint64_t number, Start start) {
    std::unique_ptr<Page>& page = pages_[number];
    if (page == nullptr) {
      if (spare_.empty()) spare_.push_back(std::make_unique<Page>());
      page = std::move(spare_.back());
      spare_.pop_back();
      start(*page, number);
    }
    latest_[number % kLatest] = {number, page.get()};
    return *page;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Latest, kLatest> latest_{};
  std::vector<std::unique_ptr<Page>> spare_;
};

}  // namespace omnium::recording
