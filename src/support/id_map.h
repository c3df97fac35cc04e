// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From 64-bit keys (addresses, ids of others) to ids: an open-addressing table with linear probing,
// at most half full. It is made for being asked by almost every event, mostly for what is there.
#pragma once

#include <cstdint>
#include <vector>

namespace omnium::support {

class IdMap {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // The id of the key; make() if it has none yet.
  template <class Make>
  std::uint32_t find(std::uint64_t key, Make make) {
    const Entry& entry = entries_[index_of(key)];
    return entry.id != kNone ? entry.id : add(key, make);
  }

  void erase(std::uint64_t key) {
    std::size_t hole = index_of(key);
    if (entries_[hole].id == kNone) return;
    --count_;
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t at = (hole + 1) & mask; entries_[at].id != kNone; at = (at + 1) & mask) {
      // What has its home behind the hole stays.
      if (((at - home_of(entries_[at].key)) & mask) < ((at - hole) & mask)) continue;
      entries_[hole] = entries_[at];
      hole = at;
    }
    entries_[hole].id = kNone;
  }

  void clear() {
    entries_.assign(kFirstSize, {});
    count_ = 0;
  }

 private:
  static constexpr std::size_t kFirstSize = 64;

  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t id = kNone;
  };

  template <class Make>
  [[gnu::noinline]] std::uint32_t add(std::uint64_t key, Make make) {
    const std::uint32_t id = make();
    if (2 * ++count_ > entries_.size()) grow();
    entries_[index_of(key)] = {key, id};
    return id;
  }
  std::size_t home_of(std::uint64_t key) const {
    return (key * 0x9e3779b97f4a7c15 >> 32) & (entries_.size() - 1);
  }
  // Where the key is, or would be.
  std::size_t index_of(std::uint64_t key) const {
    std::size_t at = home_of(key);
    while (entries_[at].id != kNone && entries_[at].key != key) {
      at = (at + 1) & (entries_.size() - 1);
    }
    return at;
  }
  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.id != kNone) entries_[index_of(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(kFirstSize);
  std::size_t count_ = 0;
};

}  // namespace omnium::support
