// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A compiler command line becomes the command line that instruments.
#pragma once

#include "driver/compiler.h"

namespace omnium::driver {

// What to run instead of the compiler with these words (which are without the compiler's name).
Result<Words> instrumented(Language language, const Words& words);

// The flags alone, for build systems; `step` is "compile" or "link".
Result<Words> flags_for(Language language, const std::string& step);

}  // namespace omnium::driver
