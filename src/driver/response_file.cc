// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Response files as libiberty reads them: words are separated by white space; quotes of both kinds
// hold a word together; a backslash takes the next character as it is, also between quotes.
#include <fstream>
#include <iterator>
#include <optional>

#include "driver/command_line.h"

namespace omnium::driver {

namespace {

constexpr int kDeepest = 20;  // a file that names itself ends here

std::optional<std::string> content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Words split(const std::string& text) {
  Words words;
  std::string word;
  bool inside = false;  // of a word
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

void append(const Words& from, int depth, Words& to) {
  for (const std::string& word : from) {
    const auto text = word.starts_with('@') && depth < kDeepest ? content(word.substr(1))
                                                                : std::optional<std::string>();
    if (text) {
      append(split(*text), depth + 1, to);
    } else {
      to.push_back(word);
    }
  }
}

}  // namespace

Words with_response_files(const Words& words) {
  Words all;
  append(words, 0, all);
  return all;
}

}  // namespace omnium::driver
