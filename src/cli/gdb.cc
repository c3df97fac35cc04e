// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/advised.h"
#include "cli/block_options.h"
#include "cli/debugger.h"
#include "cli/mode_options.h"
#include "cli/number.h"
#include "cli/terminal.h"
#include "watch/program.h"

namespace omnium::cli {

namespace {

struct GdbSettings {
  std::string process, core;
  bool catches = false;
  GdbStart start;
  BlockOptions blocks;
  ModeOptions mode;
};

Manual manual_of(GdbSettings& settings) {
  return {
      "gdb",
      "Debug a program in gdb, with commands that show its blocks, locks and findings.",
      "[options] -- PROGRAM [ARGUMENT...]",
      "omnium gdb --catch -- ./bank 8",
      "that of gdb; 2 usage or input error",
      joined({{{'\0', "catch", "", "stop where a violation is found (catch omnium)",
                &settings.catches},
               {'p', "pid", "PID", "attach to this process", &settings.process},
               {'c', "core", "FILE", "look at this core dump of PROGRAM", &settings.core},
               {'x', "commands", "FILE", "execute the commands of gdb in this file",
                &settings.start.scripts},
               {'\0', "ex", "COMMAND", "execute a command of gdb", &settings.start.commands},
               {'\0', "batch", "", "end gdb after these commands", &settings.start.batch}},
              settings.blocks.rows(),
              settings.mode.rows()}),
      {},
      "info omnium [N]  findings so far; of each thread its open blocks, held locks\n"
      "                 and last N events\n"
      "catch omnium     stop where a violation is found\n"
      "`omnium help debugging` shows a session. `omnium replay --gdb` has the same\n"
      "commands. Type `run` to start the program.\n",
  };
}

}  // namespace

int run_gdb(const Arguments& arguments) {
  GdbSettings settings;
  const Manual manual = manual_of(settings);
  Arguments options = arguments;
  const Arguments command = take_program(manual, options);
  if (const auto status = parse(manual, options)) return *status;
  if (const auto wrong = settings.blocks.wrong()) return usage_error(manual, *wrong);
  if (const auto wrong = settings.mode.wrong()) return usage_error(manual, *wrong);
  if (command.empty() && settings.process.empty()) {
    return usage_error(manual, "missing argument: PROGRAM");
  }
  if (!settings.process.empty() && !parse_count(settings.process)) {
    return usage_error(manual, "--pid needs the number of a process");
  }
  GdbStart& start = settings.start;
  if (settings.catches) start.commands.insert(start.commands.begin(), "catch omnium");
  if (!command.empty()) {
    const auto program = watch::find_program(command);
    if (!program) return report_error(advised(program.error(), command.front(), FileKind::kProgram));
    if (const auto why = watch::not_instrumented(*program)) print_note(*why);
    start.what = {"--args", program->path};
    start.what.insert(start.what.end(), command.begin() + 1, command.end());
  }
  if (!settings.core.empty()) start.what = {"-c", settings.core, start.what.at(1)};
  if (!settings.process.empty()) {
    start.what = {"-p", settings.process};
  } else {
    auto passed = settings.blocks.for_runtime();
    if (!passed) return report_error(passed.error());
    if (auto read = settings.blocks.read_specification(); !read) return report_error(read.error());
    settings.mode.add_for_runtime(*passed);
    start.options = *passed;
  }
  return become_gdb(start);
}

}  // namespace omnium::cli
