// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The compiler that does the work.
#pragma once

#include <string_view>

#include "driver/command_line.h"

namespace omnium::driver {

enum class Language { kC, kCxx };

enum class Family { kGcc, kClang };

struct Compiler {
  Words command;  // may begin with a launcher: ccache gcc
  Family family = Family::kGcc;
};

// OMNIUM_CC or OMNIUM_CXX; otherwise gcc or g++, otherwise cc or c++. Does not run anything.
Result<Words> compiler_command(Language language);

// Asks the compiler who it is.
Result<Family> family_of(const Words& command);

}  // namespace omnium::driver
