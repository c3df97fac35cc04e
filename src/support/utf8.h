// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Names in traces are bytes; only what we print has to be UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace omnium::support {

// Length in bytes of the well-formed UTF-8 character that `text` starts with; 0 if there is none.
std::size_t utf8_length(std::string_view text);

// `text` with every byte that is not part of a well-formed character replaced by U+FFFD.
std::string to_valid_utf8(std::string_view text);

}  // namespace omnium::support
