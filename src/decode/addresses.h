// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From addresses of the recorded process to names: code, globals, blocks of the heap.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decode/numbered_names.h"
#include "event/source.h"
#include "symbols/address_space.h"
#include "symbols/object_names.h"
#include "wire/raw_log.h"

namespace omnium::decode {

class Addresses {
 public:
  // Must be called before any question. A module replaces what was loaded at its addresses before.
  // Names come from its file if that has not been modified since.
  void add_module(const wire::RawModule& module, std::string_view path);
  // The files that have been modified since, each once.
  const std::set<std::string>& changed_files() const { return changed_files_; }

  // A heap block exists from now on; it replaces those at its addresses.
  void add_heap_block(std::uint64_t address, std::uint64_t size, std::uint64_t return_address);
  void forget_heap_blocks();

  // The source place of the instruction before a return address.
  std::string place(std::uint64_t return_address);
  // The same with the function: "bank.cpp:44 in Account::deposit".
  std::string place_and_function(std::uint64_t return_address);
  // Where the return address lies; nothing if in no module.
  std::optional<Code> code(std::uint64_t return_address) const;
  std::string function(std::uint64_t address);
  // The name of a thread: what it runs, and its number.
  std::string thread(std::uint64_t start_function, std::uint32_t number);
  struct InBlock {
    BlockKind* kind;
    const symbols::HeapBlock* block;
    std::uint64_t offset;
  };
  // Nothing if the address lies in no block of the heap.
  std::optional<InBlock> in_heap_block(std::uint64_t address);
  // What the uses tell of something on the heap; none if its allocation tells more.
  std::optional<std::string> used_on_heap(const symbols::HeapBlock& block,
                                          std::span<const symbols::Use> uses) {
    return memory().names().by_uses_in(block, uses);
  }
  // "account.balance", "Order::count", or an address (docs/runtime/names.md).
  std::string object(std::uint64_t address, std::span<const symbols::Use> uses);

 private:
  struct HeapBlock {
    symbols::HeapBlock block;
    BlockKind* kind = nullptr;  // null until somebody asks
  };
  using HeapBlocks = std::map<std::uint64_t, HeapBlock>;  // by address
  BlockKind& kind_of(const symbols::HeapBlock& block);
  symbols::AddressSpace& memory();

  std::map<std::uint64_t, symbols::LoadedModule> modules_;  // by begin
  std::set<std::string> changed_files_;
  symbols::Binaries binaries_;
  std::unique_ptr<symbols::AddressSpace> memory_;  // made by the first question
  HeapBlocks heap_;
  HeapBlocks::value_type* latest_block_ = nullptr;  // the one that was asked for last; null: none
  std::unordered_map<std::string, BlockKind> block_kinds_;  // by key
  std::map<symbols::HeapBlock, BlockKind*> kinds_;
};

}  // namespace omnium::decode
