// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/json_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "support/utf8.h"

namespace omnium::report {

namespace {

bool needs_care(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\';
}

}  // namespace

void JsonWriter::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

void JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  out_ += bracket;
  first_ = false;
}

void JsonWriter::key(std::string_view name) {
  string(name);
  out_ += ':';
  first_ = true;
}

void JsonWriter::string(std::string_view text) {
  separate();
  out_ += '"';
  if (std::ranges::none_of(text, needs_care)) {
    out_ += text;
    out_ += '"';
    return;
  }
  const auto escaped = [&](std::string_view bytes) {
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (byte < 0x20 || byte == 0x7f) {
        out_ += fmt::format("\\u{:04x}", byte);
      } else {
        out_ += c;
      }
    }
  };
  bool ascii = true;
  for (const char c : text) ascii &= static_cast<unsigned char>(c) < 0x80;
  if (ascii) {
    escaped(text);
  } else {
    escaped(support::to_valid_utf8(text));
  }
  out_ += '"';
}

void JsonWriter::number(std::uint64_t value) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{}", value);
}

void JsonWriter::number(double value) {
  separate();
  fmt::format_to(std::back_inserter(out_), "{:.6f}", std::isfinite(value) ? value : 0.0);
}

void JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  separate();
  out_ += "null";
}

void JsonWriter::raw(std::string_view value) {
  separate();
  out_ += value;
}

std::string JsonWriter::take() { return std::exchange(out_, {}); }

}  // namespace omnium::report
