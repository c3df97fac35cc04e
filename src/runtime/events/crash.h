// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that crashes still reports what was found, which may be the reason of the crash.
#pragma once

#include <csignal>

namespace omnium::runtime {

// Sets handlers for the signals of crashes that have none yet. A program that sets its own handlers
// later replaces these.
void handle_crashes();

// The C library is about to say so, and to end the process.
void assertion_fails(const char* condition, const char* file, unsigned line, const char* function);

// Is this one of these handlers? The program has none then.
bool is_crash_handler(const struct sigaction& action);

}  // namespace omnium::runtime
