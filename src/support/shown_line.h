// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The line of an input that an error is about, with a caret below the place.
#pragma once

#include <string>
#include <string_view>

#include "support/error.h"

namespace omnium::support {

// Two lines; empty if the place is not known. Columns count characters, from 1.
std::string shown_line(const Position& at, std::string_view text);

}  // namespace omnium::support
