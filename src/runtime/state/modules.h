// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is loaded into the process, and which of it is instrumented.
#pragma once

#include <cstddef>

#include "runtime/state/code.h"

namespace omnium::runtime {

// The code [begin, end) of a module is instrumented.
void add_instrumented_module(Pc begin, Pc end);
// Finds the loaded libraries that act for the program (libstdc++, libgomp).
void find_acting_libraries();

bool is_instrumented_code(Pc pc);
// Is it instrumented code, or code of a library that acts for the program?
bool is_program_code(Pc pc);

// Tells the watcher what is loaded, if that has changed since it was told last.
void send_modules();
// Tells the watcher what is loaded, and asks which of its functions are blocks. Returns the size of
// the answer, 0 if there is none, and the descriptor that came with it (system/channel.h).
std::size_t send_modules_and_ask(void* answer, std::size_t most, int& descriptor);

// Around a fork. A thread that sends a finding holds the lock of the reach engine before this one.
void lock_modules();
void unlock_modules();

}  // namespace omnium::runtime
