// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Colours, or nothing.
#pragma once

#include <string>
#include <string_view>

namespace omnium::report {

class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}

  std::string red(std::string_view text) const { return with("1;31", text); }
  std::string green(std::string_view text) const { return with("32", text); }
  std::string yellow(std::string_view text) const { return with("33", text); }
  std::string bold(std::string_view text) const { return with("1", text); }
  std::string dim(std::string_view text) const { return with("2", text); }

 private:
  std::string with(std::string_view code, std::string_view text) const {
    if (!on_ || text.empty()) return std::string(text);
    return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
  }

  bool on_;
};

}  // namespace omnium::report
