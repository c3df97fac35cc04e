// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions of the C++ library's headers that the compiler did not inline: std::mutex::lock at -O0.
// An event in one of them belongs to the line of the program that called it. It is found where
// these functions start with keeping a frame pointer, which the compiler drivers ask for; where
// they do not, the event stays where it is.
#pragma once

#include "runtime/events.h"

namespace omnium::runtime {

// Reads the symbol table of the instrumented module that begins here; nothing if it is stripped.
void find_library_code(Pc module_begin);
void forget_library_code(Pc begin, Pc end);

}  // namespace omnium::runtime
