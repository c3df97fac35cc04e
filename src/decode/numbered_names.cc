// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "decode/numbered_names.h"

#include <fmt/format.h>

namespace omnium::decode {

namespace {

void append_number(std::string& text, std::uint64_t number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.size());
}

}  // namespace

// Numbers the name in text_. Names of different kinds of blocks may be equal.
void NumberedNames::add_text(support::Interner& names) {
  const std::uint32_t id = used_.intern(text_);
  if (id == counts_.size()) counts_.push_back(0);
  if (const std::uint32_t number = ++counts_[id]; number != 1) {
    text_ += " #";
    append_number(text_, number);
  }
  names.append(text_);
}

void NumberedNames::add(support::Interner& names, const std::string& name) {
  text_ = name;
  add_text(names);
}

void NumberedNames::add(support::Interner& names, BlockKind& kind, std::uint64_t offset) {
  text_.clear();
  kind.names.append(text_, offset);
  add_text(names);
}

}  // namespace omnium::decode
