// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Lines of the assembly code that compilers write, in AT&T syntax.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace omnium::assembler {

// Removes `start` from the start of the text, if it is there.
bool take(std::string_view& text, std::string_view start);
bool take_blanks(std::string_view& text);

// The function that the line calls by its name, if it does nothing else.
std::optional<std::string_view> function_called(std::string_view line);

// The callbacks of the compilers' instrumentation.
inline constexpr std::string_view kPrefix = "__tsan_";
// The name after __tsan_ if the line calls such a callback and does nothing else.
std::optional<std::string_view> callback_called(std::string_view line);

// Might the line change the second argument of the next call? N if it is `movl $N, %esi`.
bool sets_second_argument(std::string_view line);
std::optional<unsigned> second_argument(std::string_view line);

// May the processor be elsewhere after the line, or come to the line from elsewhere? Labels that
// only say where something is for debuggers and unwinders are no targets of jumps.
bool ends_straight_code(std::string_view line);

}  // namespace omnium::assembler
