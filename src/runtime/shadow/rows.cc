// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/shadow/rows.h"

#include <algorithm>
#include <cstring>

#include "runtime/system/mapped.h"

namespace omnium::runtime {

constinit Rows rows;

namespace {

constexpr std::uint32_t kUnits = 1u << 25;  // of 16 bytes each
constexpr std::uint32_t kIndex = 1u << 22;
constexpr std::uint32_t kLargeUnits = 1u << 21, kLargeCount = 1u << 20;

// How much there may be until the next generation starts, if so much has survived: twice as much,
// so that what has to be moved is in proportion to what is new. Some room is left for what comes
// while the scrubber works.
std::uint32_t limit_after(std::uint32_t survived, std::uint32_t least, std::uint32_t room) {
  return std::clamp(2 * survived, least, room / 8 * 7);
}

std::size_t hash(const std::uint32_t* words, std::size_t count) {
  std::uint64_t value = count;
  for (std::size_t i = 0; i < count; ++i) {
    value = (value ^ words[i]) * 0x9E3779B97F4A7C15u;
    value ^= value >> 29;
  }
  return value;
}

// Units for the next stories of a thread, so that it seldom needs the lock. They are of no use once
// another generation has started.
struct Supply {
  static constexpr std::uint32_t kStories = 64;
  std::uint32_t next, left, started;
};
constinit thread_local Supply supply __attribute__((tls_model("initial-exec"))) = {};

}  // namespace

void Rows::map() {
  for (Generation& generation : generations_) {
    generation.units = map_array<std::uint32_t>(4 * kUnits);
    generation.index = map_array<std::uint32_t>(kIndex);
    generation.used = 1;  // 0 means "no row"
  }
  most_units_ = kLargeUnits;
  most_rows_ = kLargeCount;
}

std::uint32_t Rows::intern(const std::uint32_t* words, std::size_t count) {
  const SpinGuard guard(lock_);
  Generation& table = generations_[generation_];
  std::size_t place = hash(words, count) & (kIndex - 1);
  for (; table.index[place] != 0; place = (place + 1) & (kIndex - 1)) {
    std::uint32_t* row = table.units + std::size_t{4} * table.index[place];
    if (*row % kUse == count && std::memcmp(row + 1, words, count * sizeof(*words)) == 0) {
      const std::uint32_t number = generation_ << 25 | table.index[place];
      use_again(number);
      return number;
    }
  }
  const std::uint32_t units = static_cast<std::uint32_t>(1 + count / 4);
  if (table.used + units > kUnits || table.count > kIndex / 2) return 0;
  std::uint32_t* row = table.units + std::size_t{4} * table.used;
  *row = static_cast<std::uint32_t>(count) + kUse;
  std::memcpy(row + 1, words, count * sizeof(*words));
  table.index[place] = table.used;
  table.used += units;
  ++table.count;
  return generation_ << 25 | table.index[place];
}

// The number of the first one; 0 if there is no room.
std::uint32_t Rows::take_units(std::uint32_t count) {
  const SpinGuard guard(lock_);
  Generation& table = generations_[generation_];
  table.used += table.used % 2;  // so that no story lies in two cache lines
  if (table.used + count > kUnits) return 0;
  const std::uint32_t first = generation_ << 25 | table.used;
  table.used += count;
  supply.started = started_;
  return first;
}

std::uint32_t Rows::make_story(const std::uint32_t* words) {
  constexpr std::uint32_t kUnitsEach = kStory / 4;
  Supply& mine = supply;
  if (mine.left == 0 || mine.started != __atomic_load_n(&started_, __ATOMIC_RELAXED)) {
    mine.next = take_units(Supply::kStories * kUnitsEach);
    mine.left = mine.next == 0 ? 0 : Supply::kStories;
  }
  if (mine.left == 0) return 0;
  const std::uint32_t number = mine.next;
  mine.next += kUnitsEach;
  --mine.left;
  write_story(number, words);
  return number;
}

void Rows::read_story(std::uint32_t number, std::uint32_t* words) const {
  const std::uint32_t* story = at(number);
  for (std::size_t i = 0; i < kStory; ++i) words[i] = __atomic_load_n(story + i, __ATOMIC_RELAXED);
}

void Rows::write_story(std::uint32_t number, const std::uint32_t* words) {
  std::uint32_t* story = at(number);
  for (std::size_t i = 0; i < kStory; ++i) __atomic_store_n(story + i, words[i], __ATOMIC_RELAXED);
}

void Rows::use_again(std::uint32_t number) {
  if (uses(number) < kManyUses) __atomic_fetch_add(at(number), kUse, __ATOMIC_RELAXED);
}

bool Rows::is_large() const {
  const Generation& table = generations_[generation_];
  return table.used > most_units_ || table.count > most_rows_;
}

void Rows::start_generation() {
  const SpinGuard guard(lock_);
  generation_ ^= 1;
  __atomic_store_n(&started_, started_ + 1, __ATOMIC_RELAXED);
}

void Rows::empty_old_generation() {
  const Generation& current = generations_[generation_];
  most_units_ = limit_after(current.used, kLargeUnits, kUnits);
  most_rows_ = limit_after(current.count, kLargeCount, kIndex / 2);
  Generation& old = generations_[generation_ ^ 1];
  clear_pages(old.units, 4 * kUnits * sizeof(*old.units));
  clear_pages(old.index, kIndex * sizeof(*old.index));
  old.used = 1;
  old.count = 0;
}

}  // namespace omnium::runtime
