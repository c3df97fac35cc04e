// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Rewrites a compiler's assembly code so that the fast path of accesses is inlined.
#pragma once

#include <string>
#include <string_view>

namespace omnium::assembler {

// Calls of __tsan_read8 and the like become a look at the shadow and a call where that does not
// suffice. A compiler that calls a function takes all registers that the function may change for
// changed: the code between uses these alone. What looks different is left as it is.
std::string rewritten(std::string_view text);

}  // namespace omnium::assembler
