// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is loaded into the process, and which of it is instrumented.
#pragma once

namespace omnium::runtime {

// Looks at the loaded libraries that act for the program (libstdc++, libgomp).
void find_acting_libraries();

// Tells the watcher what is loaded, if that has changed since it was told last.
void send_modules();

// Asks the watcher which functions are blocks by the specification, and waits for the answer.
void ask_for_functions();

// Around a fork.
void lock_modules();
void unlock_modules();

}  // namespace omnium::runtime
