// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/shadow/rows.h"

#include <cstring>

#include "runtime/system/mapped.h"

namespace omnium::runtime {

constinit Rows rows;

namespace {

constexpr std::size_t kUnits = std::size_t{1} << 23;  // of 16 bytes each
constexpr std::size_t kIndex = std::size_t{1} << 22;
constexpr std::uint32_t kUnitMask = (1u << 25) - 1;
constexpr std::size_t kLargeUnits = kUnits / 4, kLargeCount = kIndex / 4;

std::size_t hash(const std::uint32_t* words, std::size_t count) {
  std::uint64_t value = count;
  for (std::size_t i = 0; i < count; ++i) {
    value = (value ^ words[i]) * 0x9E3779B97F4A7C15u;
    value ^= value >> 29;
  }
  return value;
}

}  // namespace

void Rows::map() {
  for (Generation& generation : generations_) {
    generation.units = map_array<std::uint32_t>(4 * kUnits);
    generation.index = map_array<std::uint32_t>(kIndex);
    generation.used = 1;  // 0 means "no row"
  }
}

std::uint32_t Rows::intern(const std::uint32_t* words, std::size_t count) {
  const SpinGuard guard(lock_);
  Generation& table = generations_[generation_];
  std::size_t place = hash(words, count) & (kIndex - 1);
  for (; table.index[place] != 0; place = (place + 1) & (kIndex - 1)) {
    std::uint32_t* row = table.units + std::size_t{4} * table.index[place];
    if ((*row & ~kUsedAgain) == count && std::memcmp(row + 1, words, count * sizeof(*words)) == 0) {
      *row |= kUsedAgain;
      return generation_ << 25 | table.index[place];
    }
  }
  const std::uint32_t units = static_cast<std::uint32_t>(1 + count / 4);
  if (table.used + units > kUnits || table.count > kIndex / 2) return 0;
  std::uint32_t* row = table.units + std::size_t{4} * table.used;
  *row = static_cast<std::uint32_t>(count);
  std::memcpy(row + 1, words, count * sizeof(*words));
  table.index[place] = table.used;
  table.used += units;
  ++table.count;
  return generation_ << 25 | table.index[place];
}

void Rows::use_again(std::uint32_t number) {
  if (is_used_again(number)) return;
  std::uint32_t* row = generations_[number >> 25].units + std::size_t{4} * (number & kUnitMask);
  __atomic_fetch_or(row, kUsedAgain, __ATOMIC_RELAXED);
}

bool Rows::is_large() const {
  const Generation& table = generations_[generation_];
  return table.used > kLargeUnits || table.count > kLargeCount;
}

void Rows::start_generation() {
  const SpinGuard guard(lock_);
  generation_ ^= 1;
}

void Rows::empty_old_generation() {
  Generation& old = generations_[generation_ ^ 1];
  clear_pages(old.units, 4 * kUnits * sizeof(*old.units));
  clear_pages(old.index, kIndex * sizeof(*old.index));
  old.used = 1;
  old.count = 0;
}

}  // namespace omnium::runtime
