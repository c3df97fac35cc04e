// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"

#include <iterator>

#include <fmt/format.h>

#include "support/utf8.h"

namespace omnium {

std::string Error::to_string() const {
  std::string text = printable(at.file, 4096);
  if (at.line != 0) fmt::format_to(std::back_inserter(text), ":{}", at.line);
  if (at.line != 0 && at.column != 0) fmt::format_to(std::back_inserter(text), ":{}", at.column);
  if (at.byte_offset != Position::kNoOffset) {
    fmt::format_to(std::back_inserter(text), ": byte {}", at.byte_offset);
  }
  return fmt::format("{}{}error: {}", text, text.empty() ? "" : ": ", message);
}

std::string printable(std::string_view text, std::size_t limit) {
  const bool cut = text.size() > limit;
  if (cut) text = text.substr(0, limit);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = support::utf8_length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
      ++i;
    } else {
      out.append(text.substr(i, length));
      i += length;
    }
  }
  return cut ? out + "..." : out;
}

}  // namespace omnium
