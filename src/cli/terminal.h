// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The three streams: messages, colour and width.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "event/event.h"
#include "support/error.h"

namespace omnium::cli {

// "omnium: error: MESSAGE" on standard error.
void print_error(std::string_view message);
// FILE:LINE: error: ... on standard error, or as above if it has no place.
void print_error(const Error& error);
void print_warning(std::string_view message);
void print_note(std::string_view message);
// Prints to standard output and flushes.
void print_out(std::string_view text);

enum class Colour { kAuto, kAlways, kNever };
std::optional<Colour> colour_of(std::string_view word);
// `to_terminal`: the text goes to `stream` (standard output, or 2), not into a file.
bool use_colour(Colour colour, bool to_terminal, int stream = 1);
// Is standard output a terminal?
bool on_terminal();
// Quotes a word for pasting into a shell, safe for the terminal.
std::string shell_word(std::string_view text);
// What to do about a trace is told with this line: it does not know its program.
inline constexpr std::string_view kHuntLine = "omnium hunt -- PROGRAM [ARGUMENTS]";
// Of the terminal on `stream` (or COLUMNS); 80 if there is none.
std::size_t terminal_width(int stream = 1);

}  // namespace omnium::cli
