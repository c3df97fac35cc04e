// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/addresses.h"

#include <fmt/format.h>

namespace omnium::recording {

void Addresses::add_module(const live::RawModule& module, std::string_view path) {
  for (Module& known : modules_) {
    if (known.at.begin < module.end && module.begin < known.at.end) {
      known = {module, std::string(path)};
      return;
    }
  }
  modules_.push_back({module, std::string(path)});
}

void Addresses::add_heap_block(std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  auto overlapping = heap_.lower_bound(address);
  if (overlapping != heap_.begin()) {
    const auto before = std::prev(overlapping);
    if (before->first + before->second.size > address) overlapping = before;
  }
  while (overlapping != heap_.end() && overlapping->first < address + size) {
    overlapping = heap_.erase(overlapping);
  }
  heap_[address] = {size, place, ++allocated_[place]};
}

void Addresses::forget_heap_blocks() {
  heap_.clear();
  allocated_.clear();
}

std::string Addresses::in_module(std::uint64_t address) const {
  for (const Module& module : modules_) {
    if (address < module.at.begin || address >= module.at.end) continue;
    const std::size_t slash = module.path.rfind('/');
    return fmt::format("{}+0x{:x}",
                       slash == std::string::npos ? module.path : module.path.substr(slash + 1),
                       address - module.at.bias);
  }
  return {};
}

std::string Addresses::place(std::uint64_t return_address) const {
  return return_address == 0 ? std::string() : function(return_address - 1);
}

std::string Addresses::function(std::uint64_t address) const {
  const std::string name = in_module(address);
  return name.empty() ? fmt::format("0x{:x}", address) : name;
}

std::string Addresses::object(std::uint64_t address, std::uint64_t) const {
  const auto after = heap_.upper_bound(address);
  if (after != heap_.begin()) {
    const auto& [start, block] = *std::prev(after);
    if (address < start + block.size) {
      return fmt::format("{}#{}+{}", place(block.place), block.count, address - start);
    }
  }
  const std::string name = in_module(address);
  return name.empty() ? fmt::format("0x{:x}", address) : name;
}

}  // namespace omnium::recording
