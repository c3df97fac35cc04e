// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Sentences broken into lines that fit the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace omnium::report {

inline constexpr char kBlank = '\x1f';  // a blank where a line must not be broken

// Cells without our own colour sequences; names cannot contain any.
std::size_t visible_width(std::string_view text);

// Words of `text`, broken at blanks where the line is full; later lines start under the first
// one's text and `hang` further to the right.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0,
                    std::size_t hang = 0);

}  // namespace omnium::report
