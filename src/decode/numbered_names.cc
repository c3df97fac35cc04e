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

// Adds the name in text_ for the `number`-th object that has it.
void NumberedNames::append_numbered(support::Interner& names, std::uint32_t number) {
  if (number != 1) {
    text_ += " #";
    append_number(text_, number);
  }
  names.append(text_);
}

void NumberedNames::add(support::Interner& names, const std::string& name) {
  const std::uint32_t id = used_.intern(name);
  if (id == counts_.size()) counts_.push_back(0);
  text_ = name;
  append_numbered(names, ++counts_[id]);
}

void NumberedNames::add(support::Interner& names, BlockKind& kind, std::uint64_t offset) {
  const Piece piece{kind.id, offset / kCounts};
  if (latest_counts_ == nullptr || latest_ != piece) {
    std::unique_ptr<Counts>& counts = pieces_[piece];
    if (counts == nullptr) counts = std::make_unique<Counts>();
    latest_ = piece;
    latest_counts_ = counts.get();
  }
  text_.clear();
  kind.names.append(text_, offset);
  append_numbered(names, ++(*latest_counts_)[offset % kCounts]);
}

}  // namespace omnium::decode
