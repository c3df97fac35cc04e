// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Names of objects, the same in live reports and in recordings (docs/runtime/names.md). What was
// found for an address of the code is remembered.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>

#include "symbols/address_space.h"
#include "symbols/block_name.h"

namespace omnium::symbols {

// An instruction that uses an object: an access to memory, or an operation on a lock.
struct Use {
  std::uint64_t return_address = 0;
  std::uint32_t size = 0;    // bytes that it accesses
  std::uint64_t offset = 0;  // of the object in these bytes
  bool lock = false;
  bool write = false;

  auto operator<=>(const Use&) const = default;
};

// A block of the heap.
struct HeapBlock {
  std::uint64_t size = 0, return_address = 0;  // of the call that allocated it
  auto operator<=>(const HeapBlock&) const = default;
};

class ObjectNames {
 public:
  explicit ObjectNames(AddressSpace& memory) : memory_(memory) {}

  // What is at this offset of a block: "Order::count", or "offset 16 of a 64-byte allocation at
  // bank.cpp:31" if neither the allocation nor the uses tell more.
  std::string in_block(const HeapBlock& block, std::uint64_t offset, std::span<const Use> uses);
  // The same for all that is in such blocks, without the uses.
  BlockNames names_in(const HeapBlock& block);
  // What the uses tell of an object in a block; none if its allocation tells more.
  std::optional<std::string> by_uses_in(const HeapBlock& block, std::span<const Use> uses);
  // By the uses alone.
  std::optional<std::string> by_uses(std::span<const Use> uses, bool in_heap);
  // A global object by its address, or any other by its uses: "Ledger::total_", "counter in main".
  // None if nothing is known.
  std::optional<std::string> object(std::uint64_t address, std::span<const Use> uses);

 private:
  const BlockLayout* layout(const HeapBlock& block);
  const std::optional<std::string>& by_use(const Use& use, bool in_heap);
  std::optional<std::string> find_by_use(const Use& use, bool in_heap);
  std::string place(std::uint64_t return_address);

  AddressSpace& memory_;
  std::map<HeapBlock, std::optional<BlockLayout>> layouts_;
  std::map<std::pair<Use, bool>, std::optional<std::string>> by_use_;
};

}  // namespace omnium::symbols
