// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Different objects with the same name get numbers, from the second one on. There can be as many
// objects in heap blocks as events, so their names are counted by block and offset, without
// building the text.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/interner.h"
#include "symbols/block_name.h"

namespace omnium::decode {

// Heap blocks in which the names of objects differ by offset.
struct BlockKind {
  std::uint32_t id;
  symbols::BlockNames names;
};

class NumberedNames {
 public:
  void add(support::Interner& names, const std::string& name);
  void add(support::Interner& names, BlockKind& kind, std::uint64_t offset);

 private:
  static constexpr std::size_t kCounts = 64;
  using Counts = std::array<std::uint32_t, kCounts>;  // of names in a piece of a block
  struct Piece {
    std::uint32_t kind;
    std::uint64_t number;
    bool operator==(const Piece&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Piece& piece) const {
      return (piece.number << 20 ^ piece.kind) * 0x9e3779b97f4a7c15;
    }
  };

  void append_numbered(support::Interner& names, std::uint32_t number);

  support::Interner used_;
  std::vector<std::uint32_t> counts_;  // by id in used_
  std::unordered_map<Piece, std::unique_ptr<Counts>, Hash> pieces_;
  Piece latest_{};
  Counts* latest_counts_ = nullptr;
  std::string text_;  // of the current name
};

}  // namespace omnium::decode
