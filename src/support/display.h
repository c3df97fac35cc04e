// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Untrusted text on a terminal: what it looks like, and how wide it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace omnium::support {

struct CodeRange {
  std::uint32_t first, last;
};

// Characters that could make a name look like another: invisible ones, those that change the
// direction of what follows, and what is no character at all.
std::span<const CodeRange> unsafe_characters();

// `text` with unsafe characters and invalid UTF-8 as \xNN.
std::string terminal_text(std::string_view text);

// Cells that `text` takes on a terminal. Colour sequences are not text.
std::size_t display_width(std::string_view text);

// `text` cut to `width` cells, with … where something is missing.
std::string cut_to_width(std::string_view text, std::size_t width);
// The same, but the end stays.
std::string cut_front_to_width(std::string_view text, std::size_t width);

// The same, but both ends stay.
std::string cut_middle_to_width(std::string_view text, std::size_t width);

// `text` cut or filled with blanks to exactly `width` cells.
std::string fit_to_width(std::string_view text, std::size_t width);

}  // namespace omnium::support
