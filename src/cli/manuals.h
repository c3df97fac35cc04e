// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The manuals of the commands, for man pages and completions: the same option tables that are
// parsed and printed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace omnium::cli {

struct OptionText {
  char letter = '\0';
  std::string name, value, help;
  bool several = false;  // can be given more than once
};

// A Manual that owns its text.
struct ManualText {
  std::string command, sentence, usage, example, exit_status, more;
  std::vector<OptionText> options;
};

// Of a command that is listed.
ManualText manual_of(const Command& command);

// omnium-COMMAND(1), and omnium(1) about all of them, for man.
std::string man_page(const ManualText& manual);
std::string man_page_of_all();

// A script that completes commands, options and their values in `shell`: bash, zsh or fish. Empty
// for others.
std::string completion(std::string_view shell);

}  // namespace omnium::cli
