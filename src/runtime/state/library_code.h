// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions of the C++ library's headers that the compiler did not inline: std::mutex::lock at -O0.
// An event in one of them belongs to the line of the program that called it. That line is found if
// the function keeps a frame pointer, which the compiler drivers ask for; otherwise the event keeps
// the address in the library's function.
#pragma once

#include <atomic>

#include "runtime/state/code.h"

namespace omnium::runtime {

// The address that the current function returns to; or, if that lies in a function of the C++
// library's headers, the place in the program's own code that called the library.
#define OMNIUM_USER_PC() ::omnium::runtime::user_pc(OMNIUM_CALLER_PC(), __builtin_frame_address(0))
Pc user_pc(Pc pc, const void* frame);

// Reads the symbol table of the instrumented module that begins here. A stripped module has none,
// and its events stay where they are.
void find_library_code(Pc module_begin);
void forget_library_code(Pc begin, Pc end);

// Around a fork.
void lock_library_code();
void unlock_library_code();

// Is it code of a coroutine? Known by the names in the symbol table, too.
extern std::atomic<bool> any_coroutines;
bool is_in_coroutine(Pc code);
inline bool is_coroutine_code(Pc code) {
  return any_coroutines.load(std::memory_order_relaxed) && is_in_coroutine(code);
}

}  // namespace omnium::runtime
