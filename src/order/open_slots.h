// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Sets of open transactions as bits. Each open transaction has a slot, slots of ended ones are used
// again, so a set is one word as long as no more than 64 transactions are open at a time.
//
//   OpenSlots   hands out slots
//   SlotRows    a table of such sets: kColumns sets per row, all of them equally wide
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace omnium {

using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};

using SlotWord = std::uint64_t;
inline constexpr std::size_t kSlotsPerWord = 64;

inline bool has_slot(const SlotWord* set, Slot slot) {
  return (set[slot / kSlotsPerWord] >> (slot % kSlotsPerWord) & 1) != 0;
}
inline void add_slot(SlotWord* set, Slot slot) {
  set[slot / kSlotsPerWord] |= SlotWord{1} << (slot % kSlotsPerWord);
}
inline void remove_slot(SlotWord* set, Slot slot) {
  set[slot / kSlotsPerWord] &= ~(SlotWord{1} << (slot % kSlotsPerWord));
}

// Calls visit(slot) for each bit of the word-th word of a set.
template <class Visit>
inline void for_each_slot(SlotWord bits, std::size_t word, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) {
    const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
    visit(static_cast<Slot>(word * kSlotsPerWord + bit));
  }
}

class OpenSlots {
 public:
  Slot open() {
    if (free_.empty()) return capacity_++;
    const Slot slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void close(Slot slot) { free_.push_back(slot); }

  // The most slots that were ever open together: all slots are below.
  Slot capacity() const { return capacity_; }

 private:
  std::vector<Slot> free_;
  Slot capacity_ = 0;
};

template <std::size_t kColumns>
class SlotRows {
 public:
  void grow_to(std::size_t rows) {
    if (rows <= rows_) return;
    rows_ = rows;
    bits_.resize(rows_ * kColumns * words_, 0);
  }
  // All sets get `words` words; rare, since the number doubles.
  void widen_to(std::size_t words) {
    std::vector<SlotWord> wide(rows_ * kColumns * words, 0);
    for (std::size_t set = 0; set < rows_ * kColumns; ++set) {
      std::copy_n(bits_.data() + set * words_, words_, wide.data() + set * words);
    }
    bits_ = std::move(wide);
    words_ = words;
  }

  SlotWord* set(std::size_t row, std::size_t column = 0) {
    return bits_.data() + (row * kColumns + column) * words_;
  }

 private:
  std::size_t rows_ = 0;
  std::size_t words_ = 1;
  std::vector<SlotWord> bits_;
};

}  // namespace omnium
