// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Different objects with the same name get numbers, from the second one on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/interner.h"
#include "symbols/block_name.h"

namespace omnium::decode {

// Heap blocks in which the names of objects differ by offset.
struct BlockKind {
  symbols::BlockNames names;
};

class NumberedNames {
 public:
  void add(support::Interner& names, const std::string& name);
  void add(support::Interner& names, BlockKind& kind, std::uint64_t offset);

 private:
  void add_text(support::Interner& names);

  support::Interner used_;
  std::vector<std::uint32_t> counts_;  // by id in used_
  std::string text_;                   // of the current name
};

}  // namespace omnium::decode
