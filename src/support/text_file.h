// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Small text files, read whole.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace omnium::support {

// The file's content; an error for a directory, a missing or an unreadable file.
Result<std::string> read_text_file(const std::string& path);

// Lines without their ends (LF or CRLF); a last line without end counts.
std::vector<std::string_view> lines_of(std::string_view text);

// `text` without blanks at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace omnium::support
