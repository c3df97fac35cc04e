// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Starts gdb, with the commands that show what Omnium knows (driver/files/omnium_gdb.py).
#pragma once

#include <string>

#include "cli/command.h"

namespace omnium::cli {

// How gdb is started, besides Omnium's own commands for it.
struct GdbStart {
  std::string options;  // OMNIUM_OPTIONS of the program
  Arguments commands;   // each as on gdb's prompt
  Arguments scripts;    // files with such commands
  bool batch = false;   // gdb ends after them
  Arguments what;       // the rest of gdb's command line: what is debugged
};

// Does not return unless it fails; then a message was printed, and this is the exit status.
int become_gdb(const GdbStart& start);

// The command.
int run_gdb(const Arguments& arguments);

}  // namespace omnium::cli
