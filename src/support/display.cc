// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "support/display.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "support/utf8.h"

namespace omnium::support {

namespace {

constexpr CodeRange kUnsafe[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0x200b, 0x200f},
                                 {0x2028, 0x202e}, {0x2060, 0x2069}, {0xfeff, 0xfeff},
                                 {0xfffe, 0xffff}};
constexpr CodeRange kCombining[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
constexpr CodeRange kWide[] = {
    {0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},  {0x4e00, 0x9fff},
    {0xa000, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},  {0xff00, 0xff60},
    {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

template <std::size_t N>
bool in(const CodeRange (&ranges)[N], std::uint32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges), [&](const CodeRange& range) {
    return range.first <= code && code <= range.last;
  });
}

// `bytes` is one well-formed character.
std::uint32_t code_of(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (bytes.size() == 1) return first;
  std::uint32_t code = first & (0x7fu >> bytes.size());
  for (const char byte : bytes.substr(1))
    code = code << 6 | (static_cast<unsigned char>(byte) & 0x3f);
  return code;
}

std::size_t width_of(std::uint32_t code) {
  if (code < 0x300) return 1;
  if (in(kCombining, code)) return 0;
  return in(kWide, code) ? 2 : 1;
}

// The next character of `text`, one byte if it is not UTF-8, and its width.
struct Glyph {
  std::size_t bytes, width;
};
Glyph glyph(std::string_view text) {
  const std::size_t length = utf8_length(text);
  if (length == 0) return {1, 1};
  return {length, width_of(code_of(text.substr(0, length)))};
}

constexpr std::string_view kEllipsis = "…";

}  // namespace

std::span<const CodeRange> unsafe_characters() { return kUnsafe; }

std::string terminal_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::size_t bytes = length == 0 ? 1 : length;
    if (length == 0 || in(kUnsafe, code_of(text.substr(0, length)))) {
      for (const char byte : text.substr(0, bytes)) {
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      }
    } else {
      out.append(text.substr(0, bytes));
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Glyph next = glyph(text);
    width += next.width;
    text.remove_prefix(next.bytes);
  }
  return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::size_t bytes = 0, used = 0;
  for (;;) {
    const Glyph next = glyph(text.substr(bytes));
    if (used + next.width > width - 1) break;
    used += next.width;
    bytes += next.bytes;
  }
  return std::string(text.substr(0, bytes)).append(kEllipsis);
}

std::string cut_front_to_width(std::string_view text, std::size_t width) {
  std::size_t left = display_width(text);
  if (left <= width) return std::string(text);
  if (width == 0) return "";
  while (left > width - 1) {
    const Glyph next = glyph(text);
    left -= next.width;
    text.remove_prefix(next.bytes);
  }
  return std::string(kEllipsis).append(text);
}

std::string cut_middle_to_width(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  const std::string end = cut_front_to_width(text, width / 2 + 1);
  return cut_to_width(text, width - width / 2).append(end, std::min(end.size(), kEllipsis.size()));
}

std::string fit_to_width(std::string_view text, std::size_t width) {
  std::string out = cut_to_width(text, width);
  out.append(width - display_width(out), ' ');
  return out;
}

}  // namespace omnium::support
