// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/debugger.h"

#include <unistd.h>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "cli/watched_run.h"
#include "driver/installation.h"

namespace omnium::cli {

int become_gdb(const GdbStart& start) {
  Arguments words = {"gdb"};
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  // gdb must not ask whether it may load what lies beside the runtime: here it is.
  if (const auto installed = driver::find_installation(true)) {
    add({"-iex", fmt::format("add-auto-load-safe-path {}", installed->folder.string())});
    add({"-x", installed->gdb_commands()});
  }
  if (!start.options.empty()) {
    add({"-ex", fmt::format("set environment {} {}", kOptionsVariable, start.options)});
  }
  if (start.batch) add({"-batch"});
  for (const std::string& command : start.commands) add({"-ex", command});
  for (const std::string& script : start.scripts) add({"-x", script});
  words.insert(words.end(), start.what.begin(), start.what.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp("gdb", pointers.data());
  print_error("gdb cannot be started; is it installed?");
  return kBadInput;
}

}  // namespace omnium::cli
