// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// JSON as it is written, member by member: reports of many findings never exist as a tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace omnium::report {

class JsonWriter {
 public:
  void open(char bracket);   // '{' or '['
  void close(char bracket);  // '}' or ']'
  void key(std::string_view name);

  // Bytes that are not UTF-8 become U+FFFD.
  void string(std::string_view text);
  void number(std::uint64_t value);
  void number(double value);
  void boolean(bool value);
  void null();
  // A value that is JSON already.
  void raw(std::string_view value);

  // What was written since the last call.
  std::string take();
  std::size_t size() const { return out_.size(); }

 private:
  void separate();

  std::string out_;
  bool first_ = true;  // no comma before the next value
};

}  // namespace omnium::report
