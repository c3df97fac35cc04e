// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Another program as a filter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace omnium::support {

// What `command` (found by PATH) prints when it reads `input`. An error if it cannot be run or
// fails.
Result<std::string> filtered(const std::vector<std::string>& command, std::string_view input);

}  // namespace omnium::support
