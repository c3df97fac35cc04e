// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From addresses of the recorded process to names: code, globals, blocks of the heap.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "live/raw_log.h"
#include "symbols/address_space.h"

namespace omnium::recording {

class Addresses {
 public:
  // Before any question. A module takes the place of what was loaded there before.
  void add_module(const live::RawModule& module, std::string_view path);

  // A block of the heap exists from now on, also where another one was.
  void add_heap_block(std::uint64_t address, std::uint64_t size, std::uint64_t return_address);
  void forget_heap_blocks() { heap_.clear(); }

  // Of the instruction before a return address.
  std::string place(std::uint64_t return_address);
  std::string function(std::uint64_t address);
  // What a thread runs, with its number.
  std::string thread(std::uint64_t start_function, std::uint32_t number);
  // "account.balance", "16 bytes into a 64-byte block allocated at bank.cpp:31", or an address.
  std::string object(std::uint64_t address, std::uint64_t return_address);

 private:
  struct HeapBlock {
    std::uint64_t size, return_address;
  };
  symbols::AddressSpace& memory();

  std::map<std::uint64_t, symbols::LoadedModule> modules_;  // by begin
  symbols::Binaries binaries_;
  std::unique_ptr<symbols::AddressSpace> memory_;  // made by the first question
  std::map<std::uint64_t, HeapBlock> heap_;        // by address
};

}  // namespace omnium::recording
