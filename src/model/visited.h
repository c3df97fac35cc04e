// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The set of packed states that were seen, in full: a state is never taken for another one.
//
// States lie one after the other in pieces that double in size, so they never move and are numbered
// in the order of their arrival; a breadth-first level is a stretch of numbers. Beside them an
// open-addressing table of numbers with a piece of the hash, so that a look-up touches one other
// state at most, as a rule. Cost per state: its bytes, and 8 bytes per slot at 35 to 70 percent
// load.
//
// Shards by hash make it possible to insert from several threads without a lock: each thread has
// shards of its own. Nobody may look while others insert.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace omnium::model {

class Visited {
 public:
  static constexpr std::uint32_t kShards = 64;  // 6 bits of the hash

  explicit Visited(std::size_t state_bytes);

  std::uint64_t hash_of(const std::byte* state) const;
  static std::uint32_t shard_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 58);
  }

  // Adds the state unless it is there. One thread at a time per shard.
  void insert(const std::byte* state, std::uint64_t hash);
  bool contains(const std::byte* state, std::uint64_t hash) const;
  // The table's entry for this hash will be needed soon.
  void prefetch(std::uint64_t hash) const;

  // Numbers of a shard's states are below this.
  std::uint32_t size_of(std::uint32_t shard) const { return shards_[shard].size; }
  const std::byte* state(std::uint32_t shard, std::uint32_t number) const;

  std::uint64_t size() const;
  // Memory in use, without the parts of pieces that nothing was written to.
  std::uint64_t bytes() const;

 private:
  static constexpr std::uint32_t kFirstPiece = 256;  // states
  static constexpr std::size_t kPieces = 24;

  using Slot = std::uint64_t;  // | piece of the hash 32 | number + 1 32 |; 0 is free

  struct alignas(64) Shard {
    std::array<std::unique_ptr<std::byte[]>, kPieces> pieces;
    std::uint32_t size = 0;
    std::vector<Slot> slots;
  };

  std::byte* address(const Shard& shard, std::uint32_t number) const;
  // The slot of the state, or the free one where it belongs.
  std::size_t find(const Shard& shard, const std::byte* state, std::uint64_t hash) const;
  void grow(Shard& shard) const;

  std::size_t state_bytes_;
  std::unique_ptr<Shard[]> shards_;
};

}  // namespace omnium::model
