// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The words that a value can be: what completions offer and what messages suggest.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace omnium::cli {

using Words = std::vector<std::string_view>;

// Of an option, by its name without dashes; none: its value is a file, a number or a name.
Words choices(std::string_view command, std::string_view option);
// Of the command's first argument; none: it is a file.
Words argument_choices(std::string_view command);

// Commands and topics that `omnium help` explains.
Words help_words();

// What to say about a value that is not among the choices; nothing if it is. `what` is the kind of
// thing that it ought to be: "engine", "value of --blocks".
std::optional<std::string> wrong_choice(std::string_view what, std::string_view word,
                                        const Words& known);

}  // namespace omnium::cli
