// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From the text of an .omp file to its program (docs/formats/omp.md has the grammar).
#pragma once

#include <string>
#include <string_view>

#include "model/program.h"
#include "support/error.h"

namespace omnium::model {

// The words that cannot be names unless quoted.
bool is_keyword(std::string_view word);

// `file` is for messages only: FILE:LINE:COLUMN.
Result<Program> parse(std::string_view text, std::string file);

}  // namespace omnium::model
