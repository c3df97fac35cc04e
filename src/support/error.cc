// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"

#include <fmt/format.h>

#include "support/utf8.h"

namespace omnium {

std::string Error::to_string() const {
  std::string text = printable(at.file, 4096);
  if (at.line != 0) text += fmt::format(":{}", at.line);
  if (at.line != 0 && at.column != 0) text += fmt::format(":{}", at.column);
  if (at.byte_offset != Position::kNoOffset) text += fmt::format(": byte {}", at.byte_offset);
  if (!text.empty()) text += ": ";
  return text + "error: " + message;
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
