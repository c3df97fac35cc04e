// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/addresses.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "support/place.h"
#include "symbols/thread_name.h"
#include "wire/file_time.h"

namespace omnium::decode {

namespace {

// Removes the entries that overlap [begin, end). end_of(entry) is where an entry ends.
template <class Map, class EndOf>
void erase_overlapping(Map& map, std::uint64_t begin, std::uint64_t end, EndOf end_of) {
  auto at = map.lower_bound(begin);
  if (at != map.begin() && end_of(*std::prev(at)) > begin) --at;
  while (at != map.end() && at->first < end) at = map.erase(at);
}

}  // namespace

void Addresses::add_module(const wire::RawModule& module, std::string_view path) {
  erase_overlapping(modules_, module.begin, module.end,
                    [](const auto& entry) { return entry.second.end; });
  if (module.modified != 0 && module.modified != wire::file_time(std::string(path).c_str())) {
    changed_files_.emplace(path);
    return;
  }
  modules_[module.begin] = {std::string(path), module.bias, module.begin, module.end};
}

void Addresses::add_heap_block(std::uint64_t address, std::uint64_t size,
                               std::uint64_t return_address) {
  erase_overlapping(heap_, address, address + size,
                    [](const auto& entry) { return entry.first + entry.second.block.size; });
  heap_[address] = {{size, return_address}};
  latest_block_ = nullptr;
}

void Addresses::forget_heap_blocks() {
  heap_.clear();
  latest_block_ = nullptr;
}

BlockKind& Addresses::kind_of(const symbols::HeapBlock& block) {
  const auto [at, added] = kinds_.try_emplace(block, nullptr);
  if (added) {
    symbols::BlockNames names = memory().names().names_in(block);
    std::string key = names.key();
    at->second =
        &block_kinds_.try_emplace(std::move(key), BlockKind{std::move(names)}).first->second;
  }
  return *at->second;
}

std::optional<Addresses::InBlock> Addresses::in_heap_block(std::uint64_t address) {
  if (latest_block_ == nullptr ||
      address - latest_block_->first >= latest_block_->second.block.size) {
    const auto after = heap_.upper_bound(address);
    if (after == heap_.begin()) return std::nullopt;
    latest_block_ = &*std::prev(after);
  }
  auto& [start, found] = *latest_block_;
  if (address - start >= found.block.size) return std::nullopt;
  if (found.kind == nullptr) found.kind = &kind_of(found.block);
  return InBlock{found.kind, &found.block, address - start};
}

symbols::AddressSpace& Addresses::memory() {
  if (memory_ == nullptr) {
    std::vector<symbols::LoadedModule> modules;
    for (const auto& [begin, module] : modules_) modules.push_back(module);
    memory_ = std::make_unique<symbols::AddressSpace>(binaries_, std::move(modules));
  }
  return *memory_;
}

std::string Addresses::place_and_function(std::uint64_t return_address) {
  const std::string& place = memory().place_and_function(return_address - 1);
  return place.empty() ? fmt::format("{:#x}", return_address - 1) : place;
}

std::optional<Code> Addresses::code(std::uint64_t return_address) const {
  const auto after = modules_.upper_bound(return_address - 1);
  if (after == modules_.begin()) return std::nullopt;
  const symbols::LoadedModule& module = std::prev(after)->second;
  if (return_address > module.end) return std::nullopt;
  return Code{module.path, return_address - module.bias};
}

std::string Addresses::place(std::uint64_t return_address) {
  return std::string(support::place_of(place_and_function(return_address)).position);
}

std::string Addresses::function(std::uint64_t address) {
  const std::string name = memory().function(address);
  return name.empty() ? fmt::format("{:#x}", address) : name;
}

std::string Addresses::thread(std::uint64_t start_function, std::uint32_t number) {
  return symbols::thread_name(memory().function(start_function), number);
}

std::string Addresses::object(std::uint64_t address, std::span<const symbols::Use> uses) {
  if (const auto found = in_heap_block(address)) {
    return memory().names().in_block(*found->block, found->offset, uses);
  }
  const auto name = memory().names().object(address, uses);
  return name ? *name : fmt::format("{:#x}", address);
}

}  // namespace omnium::decode
