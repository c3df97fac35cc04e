// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A schedule that can be run again (.omh, docs/formats/schedules.md): what to start, how to make it
// go the same way, and what is expected then.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hunt/environment.h"
#include "support/error.h"

namespace omnium::hunt {

struct ScheduleFile {
  std::vector<std::string> command;  // the program and its arguments
  std::string build;                 // build_of(the program)
  std::string options;               // OMNIUM_OPTIONS, without how the run is steered
  Variables environment;             // what it keeps (hunt/environment.h)
  std::string cause;                 // id of the finding
  std::string failure;               // of a failure: how the program ended, in words
  std::string found;                 // a sentence for people
  std::string perturb;               // the seed, if noise has found it and nothing better is known
  std::string pause;                 // the same for pauses
  std::string places;                // then: modules and places (hunt/shared_places.h)
  std::string steps;                 // modules and steps (hunt/target.h); may be empty
  bool is_serial = false;            // one thread at a time
  std::string switches;              // then: modules and switches (hunt/serial_run.h)
};

// A text as a part of a line: line ends and backslashes are escaped.
std::string escaped(std::string_view text);
std::string unescaped(std::string_view text);

// What tells two builds of a program apart.
std::string build_of(const std::string& program);

std::string to_text(const ScheduleFile& file);
Result<ScheduleFile> read_schedule(const std::string& path);

}  // namespace omnium::hunt
