// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/object_names.h"

#include <utility>

#include <fmt/format.h>

#include "symbols/access_name.h"
#include "symbols/allocation.h"

namespace omnium::symbols {

namespace {

// A program may name any number of places.
constexpr std::size_t kMostRemembered = 1 << 20;

// Members say more than local variables, and these more than what a pointer points to.
int rank(std::string_view name) {
  return (name.starts_with('*') ? 4 : 0) + (name.find(" in ") != std::string_view::npos ? 2 : 0);
}

bool is_better(std::string_view name, std::string_view other) {
  if (rank(name) != rank(other)) return rank(name) < rank(other);
  return name.size() != other.size() ? name.size() > other.size() : name < other;
}

}  // namespace

// Without the folder: so the name does not depend on where the program was built and run.
std::string ObjectNames::place(std::uint64_t return_address) {
  const std::string place = return_address == 0 ? "" : memory_.place(return_address - 1);
  return place.substr(place.rfind('/') + 1);
}

const BlockLayout* ObjectNames::layout(const HeapBlock& block) {
  if (layouts_.size() >= kMostRemembered) layouts_.clear();
  const auto [at, added] = layouts_.try_emplace(block);
  if (added && block.return_address != 0) {
    auto found = memory_.code(block.return_address - 1);
    if (found.code.unit != nullptr) {
      CodeText text(found.code.frames, found.code.unit->index(), memory_.sources(), found.modified,
                    found.address);
      at->second = layout_of_block(found.code.frames, text, block.size);
    }
  }
  return at->second ? &*at->second : nullptr;
}

std::optional<std::string> ObjectNames::find_by_use(const Use& use, bool in_heap) {
  if (use.return_address == 0) return std::nullopt;
  auto found = memory_.code(use.return_address - 1);
  if (found.code.unit == nullptr) return std::nullopt;
  CodeText text(std::move(found.code.frames), found.code.unit->index(), memory_.sources(),
                found.modified, found.address);
  if (use.lock) return name_of_lock(text);
  return name_of_accessed(text, {use.size, use.offset, use.write, in_heap});
}

const std::optional<std::string>& ObjectNames::by_use(const Use& use, bool in_heap) {
  if (by_use_.size() >= kMostRemembered) by_use_.clear();
  const auto [at, added] = by_use_.try_emplace({use, in_heap});
  if (added) at->second = find_by_use(use, in_heap);
  return at->second;
}

// The best name that a use gives, the same whatever the order of uses.
std::optional<std::string> ObjectNames::by_uses(std::span<const Use> uses, bool in_heap) {
  std::optional<std::string> best;
  for (const Use& use : uses) {
    const auto& name = by_use(use, in_heap);
    if (name && (!best || is_better(*name, *best))) best = name;
  }
  return best;
}

std::optional<std::string> ObjectNames::by_uses_in(const HeapBlock& block,
                                                   std::span<const Use> uses) {
  const BlockLayout* known = layout(block);
  if (known != nullptr && !known->is_raw()) return std::nullopt;
  auto name = by_uses(uses, true);
  // Local names for a piece of an arena differ from one function to the next.
  return name && (known == nullptr || rank(*name) == 0) ? name : std::nullopt;
}

BlockNames ObjectNames::names_in(const HeapBlock& block) {
  const BlockLayout* known = layout(block);
  return {known == nullptr ? std::nullopt : std::optional(*known), block.size,
          place(block.return_address)};
}

std::string ObjectNames::in_block(const HeapBlock& block, std::uint64_t offset,
                                  std::span<const Use> uses) {
  const std::string allocated_at = place(block.return_address);
  if (auto name = by_uses_in(block, uses)) return *name;
  if (const BlockLayout* known = layout(block)) return name_in_block(*known, offset, allocated_at);
  return fmt::format("offset {} of {}", offset, allocation_name(block.size, allocated_at));
}

std::optional<std::string> ObjectNames::object(std::uint64_t address, std::span<const Use> uses) {
  if (auto name = memory_.object(address, uses.empty() ? 0 : uses[0].return_address - 1)) {
    return name;
  }
  return by_uses(uses, false);
}

}  // namespace omnium::symbols
