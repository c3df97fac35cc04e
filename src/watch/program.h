// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The program that a run starts: finding it, checking that it is instrumented, and starting it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "support/error.h"

namespace omnium::watch {

struct Program {
  std::string path;                    // what is executed
  std::vector<std::string> arguments;  // the first is the name as it was given
};

// Finds it as a shell does. It is an error if the program does not exist, is not executable, or
// gains privileges when it starts.
Result<Program> find_program(std::vector<std::string> arguments);

// Why Omnium will see nothing of the program, and what to do about it. None if the program is
// instrumented, or a script.
std::optional<std::string> not_instrumented(const Program& program);

// Is it linked to our runtime, so that this runs before anything of the program?
bool is_linked_to_runtime(const Program& program);

inline constexpr char kOptionsVariable[] = "OMNIUM_OPTIONS";

using Variable = std::pair<std::string, std::string>;

// How it is started, if not like any command of the shell.
struct StartOptions {
  bool own_group = false;  // a process group of its own, so that all of it can be ended
  std::string output;      // a file for what it writes; then it reads nothing. Empty: as omnium
};

// Starts it with these variables added to the environment and with the signals that omnium itself
// was started with. Returns its process id.
Result<pid_t> start(const Program& program, const std::vector<Variable>& variables,
                    const StartOptions& options = {});

}  // namespace omnium::watch
