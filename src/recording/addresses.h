// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From addresses of the recorded process to names: code, globals, blocks of the heap.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "live/raw_log.h"

namespace omnium::recording {

class Addresses {
 public:
  void add_module(const live::RawModule& module, std::string_view path);

  // A block of the heap exists from now on, also where another one was.
  void add_heap_block(std::uint64_t address, std::uint64_t size, std::uint64_t place);
  void forget_heap_blocks();

  // Of the instruction before a return address.
  std::string place(std::uint64_t return_address) const;
  std::string function(std::uint64_t address) const;
  // A global, a part of a heap block ("bank.cpp:31#7+16", the seventh allocated there), or a plain
  // address. `code` uses it.
  std::string object(std::uint64_t address, std::uint64_t code) const;

 private:
  struct Module {
    live::RawModule at;
    std::string path;
  };
  struct HeapBlock {
    std::uint64_t size, place, count;
  };
  std::string in_module(std::uint64_t address) const;

  std::vector<Module> modules_;
  std::map<std::uint64_t, HeapBlock> heap_;                     // by address
  std::unordered_map<std::uint64_t, std::uint64_t> allocated_;  // how often, by place
};

}  // namespace omnium::recording
