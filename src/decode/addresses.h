// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From addresses of the recorded process to names: code, globals, blocks of the heap.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decode/numbered_names.h"
#include "symbols/address_space.h"
#include "wire/raw_log.h"

namespace omnium::decode {

class Addresses {
 public:
  // Before any question. A module takes the place of what was loaded there before. Names come from
  // its file if that is still the same.
  void add_module(const wire::RawModule& module, std::string_view path);
  // Modules whose files are not, each once.
  const std::set<std::string>& changed_files() const { return changed_files_; }

  // A block of the heap exists from now on, also where another one was.
  void add_heap_block(std::uint64_t address, std::uint64_t size, std::uint64_t return_address);
  void forget_heap_blocks();

  // Of the instruction before a return address.
  std::string place(std::uint64_t return_address);
  std::string function(std::uint64_t address);
  // What a thread runs, with its number.
  std::string thread(std::uint64_t start_function, std::uint32_t number);
  struct InBlock {
    const BlockKind* kind;
    std::uint64_t offset;
  };
  // Nothing if the address lies in no block of the heap.
  std::optional<InBlock> in_heap_block(std::uint64_t address);
  // "account.balance", "16 bytes into a 64-byte block allocated at bank.cpp:31", or an address.
  std::string object(std::uint64_t address, std::uint64_t return_address);

 private:
  struct HeapBlock {
    std::uint64_t size, return_address;
    const BlockKind* kind = nullptr;  // null: nobody asked
  };
  using HeapBlocks = std::map<std::uint64_t, HeapBlock>;  // by address
  const BlockKind& kind_of(const HeapBlock& block);
  symbols::AddressSpace& memory();

  std::map<std::uint64_t, symbols::LoadedModule> modules_;  // by begin
  std::set<std::string> changed_files_;
  symbols::Binaries binaries_;
  std::unique_ptr<symbols::AddressSpace> memory_;  // made by the first question
  HeapBlocks heap_;
  HeapBlocks::value_type* latest_block_ = nullptr;          // that was asked for, null: unknown
  std::unordered_map<std::string, BlockKind> block_kinds_;  // by text
};

}  // namespace omnium::decode
