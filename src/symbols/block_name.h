// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Names of what lies in a block of the heap, from the type that was allocated
// (docs/runtime/names.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "symbols/code_text.h"

namespace omnium::symbols {

// What a block of the heap holds: objects of one type, behind what a container needs for itself.
struct BlockLayout {
  const UnitIndex* index = nullptr;
  Dwarf_Die type{};
  std::uint64_t header = 0;    // bytes before the first object
  std::uint64_t stride = 0;    // bytes of an object
  bool array = false;          // several objects, in order
  std::string_view container;  // "map": the object is an element of one; empty: it is not
  std::string type_name;       // "Order", "int"
  std::string_view part;       // ".buckets": what of the owner it is
  std::string owner;           // "Ledger::items_": whose elements they are; empty: not known

  // Bytes of a variable that hold whatever the program puts there, an arena: those who use them
  // know better.
  bool is_raw() const;
};

// The layout of a block of this size that the code allocated; none if it is not certain. `frames`
// are those of the call, the innermost first.
std::optional<BlockLayout> layout_of_block(const std::vector<CodeFrame>& frames, CodeText& text,
                                           std::uint64_t size);

// "Order::count", "Order[3].count", "Entry::hits (in a map)". `place` tells objects apart that have
// no other name: "int[3] allocated at bank.cpp:31".
std::string name_in_block(const BlockLayout& layout, std::uint64_t offset, std::string_view place);

// Names of many objects in blocks of one layout.
class BlockNames {
 public:
  // Without a layout a name is "offset 16 of a 64-byte allocation at bank.cpp:31".
  BlockNames(std::optional<BlockLayout> layout, std::uint64_t size, std::string place);

  // Do those who use an object say less than the layout?
  bool are_certain() const { return layout_ && !layout_->is_raw(); }
  // Blocks with equal keys have equal names.
  std::string key() const;
  void append(std::string& out, std::uint64_t offset);

 private:
  struct Pattern {
    std::string before, after;  // the index of an array's element is between them
  };
  std::optional<BlockLayout> layout_;
  std::uint64_t size_;
  std::string place_;
  std::unordered_map<std::uint64_t, Pattern> patterns_;  // by offset in an element
};

}  // namespace omnium::symbols
