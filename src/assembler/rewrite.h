// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Inlines the fast path of memory accesses into the assembly code of a compiler.
#pragma once

#include <string>
#include <string_view>

namespace omnium::assembler {

// Replaces each call of __tsan_read8 and the like by a look at the shadow, and by a call only if
// the look does not suffice. The compiler assumes that the call changes all caller-saved registers,
// so the inlined code may use them. Calls that are written in any other way stay calls.
std::string rewritten(std::string_view text);

}  // namespace omnium::assembler
