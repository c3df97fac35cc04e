// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `omnium cc` and `omnium c++`, also called omnium-cc and omnium-c++.
#pragma once

#include "cli/command.h"
#include "driver/compiler.h"

namespace omnium::cli {

// `omnium cc ARGUMENTS`: --help alone explains the command.
int compile(std::string_view command, driver::Language language, const Arguments& arguments);

// `omnium-cc ARGUMENTS`: everything is the compiler's. Becomes the compiler; returns only if that
// is not possible.
int become_compiler(driver::Language language, const Arguments& arguments);

}  // namespace omnium::cli
