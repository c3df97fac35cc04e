// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The latest answers of a map from numbers to ids: most records ask what one shortly before asked.
#pragma once

#include <array>
#include <cstdint>

namespace omnium::recording {

class CachedIds {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // The id of the key; ask(key) if it is not here.
  template <class Ask>
  std::uint32_t find(std::uint64_t key, Ask ask) {
    Entry& entry = entries_[key * 0x9e3779b97f4a7c15 >> kShift];
    if (entry.key != key || entry.id == kNone) {
      const std::uint32_t id = ask(key);
      entry = {key, id};
    }
    return entry.id;
  }
  void clear() { entries_.fill({}); }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t id = kNone;
  };
  static constexpr unsigned kShift = 52;
  static constexpr std::size_t kEntries = std::size_t{1} << (64 - kShift);
  std::array<Entry, kEntries> entries_{};
};

}  // namespace omnium::recording
