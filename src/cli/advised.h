// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// An input that is something else.
#pragma once

#include <string>

#include "decode/file_kind.h"
#include "support/error.h"

namespace omnium::cli {

// The error of reading `path`; but if the file is recognized as something other than what was
// `wanted`, what to do with it instead.
Error advised(const Error& error, const std::string& path, FileKind wanted);
// The same for the file that the error names.
Error advised(const Error& error, FileKind wanted);

}  // namespace omnium::cli
