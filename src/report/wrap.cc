// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/wrap.h"

#include <algorithm>

#include "support/display.h"

namespace omnium::report {

std::size_t visible_width(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size());
    } else {
      plain += text[i];
    }
  }
  return support::display_width(plain);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t hang) {
  std::string out(indent, ' ');
  std::size_t used = indent;
  bool empty = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t cells = visible_width(word);
    if (!empty && used + 1 + cells > width) {
      used = indent + hang;
      out.append("\n").append(used, ' ');
      empty = true;
    }
    if (!empty) out += ' ';
    out += word;
    used += cells + !empty;
    empty = false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::ranges::replace(out, kBlank, ' ');
  return out + "\n";
}

}  // namespace omnium::report
