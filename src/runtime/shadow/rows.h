// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Rows of words hold what does not fit into a cell. Most of them never change, and equal rows have
// equal numbers: neighbouring cells mostly have the same readers (a matrix that four threads read),
// so there are few different rows.
//
// A story is a row of eight words that only one cell has: what happened to each of its bytes. It is
// changed in place by whoever has locked the cell. Others may read it meanwhile, and see some bytes
// as they were and some as they are.
//
// There are two generations. When the current one is large (twice what survived the last time), the
// scrubber (scrub.h) makes the other
// one current, moves the rows that cells still mention, and empties the old one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

inline constexpr std::size_t kMaxRow = 1024;  // words; enough for every slot once
inline constexpr std::size_t kStory = 8;      // words

class Rows {
 public:
  void map();  // before first use

  // The number of the row with these words: 25 bits, and the generation above them. 0 if the table
  // is full.
  std::uint32_t intern(const std::uint32_t* words, std::size_t count);

  // The number of a new story; 0 if the table is full.
  std::uint32_t make_story(const std::uint32_t* words);
  void read_story(std::uint32_t number, std::uint32_t* words) const;
  // Only if it is of the current generation: the scrubber copies older ones.
  void write_story(std::uint32_t number, const std::uint32_t* words);

  const std::uint32_t* words(std::uint32_t number) const { return at(number) + 1; }
  std::size_t size(std::uint32_t number) const { return *at(number) % kUse; }

  // How many cells, or pairs of cells, have got the row so far; kManyUses stands for more, too.
  static constexpr std::uint32_t kManyUses = 100;
  std::uint32_t uses(std::uint32_t number) const { return *at(number) / kUse; }
  void use_again(std::uint32_t number);

  bool is_current(std::uint32_t number) const { return (number >> 25) == generation_; }
  bool is_large() const;

  // For the scrubber.
  void start_generation();
  void empty_old_generation();

  void lock_for_fork() { lock_.lock(); }
  void unlock_after_fork() { lock_.unlock(); }

 private:
  static constexpr std::uint32_t kUse = 1u << 16;  // a row starts with its length and its uses

  struct Generation {
    std::uint32_t* units;  // of four words each
    std::uint32_t* index;  // hash table of the first units of rows; 0: free
    std::uint32_t used;    // units
    std::uint32_t count;   // rows
  };

  std::uint32_t* at(std::uint32_t number) const {
    return generations_[number >> 25].units + std::size_t{4} * (number & ((1u << 25) - 1));
  }
  std::uint32_t take_units(std::uint32_t count);

  Generation generations_[2] = {};
  std::uint32_t generation_ = 0;
  std::uint32_t started_ = 0;                     // how many generations
  std::uint32_t most_units_ = 0, most_rows_ = 0;  // more than that is large
  SpinLock lock_;
};

extern Rows rows;

}  // namespace omnium::runtime
