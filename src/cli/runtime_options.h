// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What OMNIUM_OPTIONS says to the runtime of a program that is started: the user's own variable,
// then what the command adds.
#pragma once

#include <string>
#include <string_view>

#include "support/error.h"

namespace omnium::cli {

inline constexpr char kOptionsVariable[] = "OMNIUM_OPTIONS";

class RuntimeOptions {
 public:
  RuntimeOptions();

  void add(std::string_view key, std::string_view value);
  // Which blocks ought to be atomic; either may be empty. An error: a specification that cannot be
  // read, an unknown kind of blocks.
  Result<void> add_blocks(const std::string& spec, const std::string& blocks);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace omnium::cli
