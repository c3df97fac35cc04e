// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "model/visited.h"

#include <bit>
#include <cstring>

#include <xxhash.h>

#include "support/check.h"

namespace omnium::model {

namespace {

constexpr std::size_t kFirstSlots = 512;

std::uint32_t piece_of_hash(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

Visited::Visited(std::size_t state_bytes)
    : state_bytes_(state_bytes), shards_(std::make_unique<Shard[]>(kShards)) {
  for (std::uint32_t i = 0; i < kShards; ++i) shards_[i].slots.resize(kFirstSlots);
}

std::uint64_t Visited::hash_of(const std::byte* state) const {
  return XXH3_64bits(state, state_bytes_);
}

std::byte* Visited::address(const Shard& shard, std::uint32_t number) const {
  const std::uint32_t shifted = number + kFirstPiece;
  const auto piece = static_cast<std::uint32_t>(std::bit_width(shifted) - 1);
  const std::uint32_t offset = shifted - (std::uint32_t{1} << piece);
  return shard.pieces[piece - 8].get() + offset * state_bytes_;
}

const std::byte* Visited::state(std::uint32_t shard, std::uint32_t number) const {
  return address(shards_[shard], number);
}

std::size_t Visited::find(const Shard& shard, const std::byte* state, std::uint64_t hash) const {
  const std::size_t mask = shard.slots.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot slot = shard.slots[at];
    if (slot == 0) return at;
    if (static_cast<std::uint32_t>(slot >> 32) != piece_of_hash(hash)) continue;
    const auto number = static_cast<std::uint32_t>(slot) - 1;
    if (std::memcmp(address(shard, number), state, state_bytes_) == 0) return at;
  }
}

bool Visited::contains(const std::byte* state, std::uint64_t hash) const {
  const Shard& shard = shards_[shard_of(hash)];
  return shard.slots[find(shard, state, hash)] != 0;
}

void Visited::prefetch(std::uint64_t hash) const {
  const Shard& shard = shards_[shard_of(hash)];
  __builtin_prefetch(&shard.slots[hash & (shard.slots.size() - 1)]);
}

void Visited::insert(const std::byte* state, std::uint64_t hash) {
  Shard& shard = shards_[shard_of(hash)];
  const std::size_t at = find(shard, state, hash);
  if (shard.slots[at] != 0) return;
  const std::uint32_t number = shard.size;
  const auto piece = static_cast<std::uint32_t>(std::bit_width(number + kFirstPiece) - 1) - 8;
  CHECK(piece < kPieces);
  if (shard.pieces[piece] == nullptr) {
    const std::size_t states = std::size_t{kFirstPiece} << piece;
    shard.pieces[piece] = std::make_unique_for_overwrite<std::byte[]>(states * state_bytes_);
  }
  std::memcpy(address(shard, number), state, state_bytes_);
  shard.slots[at] = std::uint64_t{piece_of_hash(hash)} << 32 | (number + 1);
  ++shard.size;
  if (shard.size * 10ull > shard.slots.size() * 7) grow(shard);
}

void Visited::grow(Shard& shard) const {
  std::vector<Slot> old = std::move(shard.slots);
  shard.slots.assign(old.size() * 2, 0);
  const std::size_t mask = shard.slots.size() - 1;
  for (const Slot slot : old) {
    if (slot == 0) continue;
    const auto number = static_cast<std::uint32_t>(slot) - 1;
    std::size_t at = hash_of(address(shard, number)) & mask;
    while (shard.slots[at] != 0) at = (at + 1) & mask;
    shard.slots[at] = slot;
  }
}

std::uint64_t Visited::size() const {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < kShards; ++i) {
    sum += shards_[i].size;
  }
  return sum;
}

std::uint64_t Visited::bytes() const {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < kShards; ++i) {
    sum += shards_[i].size * state_bytes_ + shards_[i].slots.size() * sizeof(Slot);
  }
  return sum;
}

}  // namespace omnium::model
