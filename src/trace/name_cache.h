// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A small direct-mapped cache in front of one name space's Interner.
//
// Nearly every name of a text trace was seen a moment ago and is at most 16 bytes long: it is found
// by two masked loads, a multiplication and one comparison, without a branch on its length.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "support/interner.h"

namespace omnium::trace {

class NameCache {
 public:
  static constexpr std::uint32_t kFull = support::Interner::kNone;
  static constexpr std::size_t kShort = 16;

  // The name space holds at most `limit` names.
  NameCache(support::Interner& names, std::uint32_t limit) : names_(names), limit_(limit) {}

  // The id of `name`, or kFull if it is new and one too many. Up to kShort bytes are loaded from
  // name.data(), however short the name is.
  std::uint32_t id_of(std::string_view name) {
    if (name.size() > kShort) [[unlikely]]
      return intern(name);
    const char* mask = kMasks + kShort - name.size();
    const std::uint64_t low = load(name.data()) & load(mask);
    const std::uint64_t high = load(name.data() + 8) & load(mask + 8);
    Slot& slot = slots_[((low ^ std::rotl(high, 29)) * 0x9e3779b97f4a7c15ull) >> shift_];
    if (slot.low == low && slot.high == high && slot.length == name.size()) [[likely]] {
      return slot.id;
    }
    const std::uint32_t id = intern(name);
    if (id != kFull) slot = {low, high, static_cast<std::uint32_t>(name.size()), id};
    if (++missed_ > kMissesPerSlot * slots_.size()) [[unlikely]]
      grow();
    return id;
  }

 private:
  struct Slot {
    std::uint64_t low = 0, high = 0;
    std::uint32_t length = ~std::uint32_t{0};
    std::uint32_t id = 0;
  };

  // 16 bytes of ones, then 16 of zeros: a load at 16 - n keeps the first n bytes.
  static constexpr char kMasks[2 * kShort + 1] =
      "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

  static std::uint64_t load(const char* from) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
  }

  [[gnu::noinline]] std::uint32_t intern(std::string_view name) {
    if (names_.size() >= limit_) return names_.find(name);
    return names_.intern(name);
  }

  // It has missed so often that a larger one would have paid off, if there are not many slots for
  // each name already. What the slots held is found again in the interner.
  [[gnu::noinline]] void grow() {
    missed_ = 0;
    const std::size_t few = std::min<std::size_t>(names_.size() * kMostSlotsPerName, kFewSlots);
    if (std::max<std::size_t>(names_.size() * kSlotsPerName, few) <= slots_.size()) return;
    if (shift_ <= kLeastShift) return;
    shift_ -= 2;
    slots_.assign(std::size_t{1} << (64 - shift_), {});
  }

  static constexpr std::size_t kMissesPerSlot = 2;
  static constexpr std::size_t kSlotsPerName = 2, kMostSlotsPerName = 32, kFewSlots = 1024;
  static constexpr int kLeastShift = 64 - 14;

  support::Interner& names_;
  std::uint32_t limit_;
  int shift_ = 64 - 6;
  std::size_t missed_ = 0;  // since it has grown
  std::vector<Slot> slots_ = std::vector<Slot>(std::size_t{1} << (64 - shift_));  // 2^6 to 2^14
};

}  // namespace omnium::trace
