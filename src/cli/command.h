// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The commands, and what they share: one table of options per command, which is both parsed and
// printed.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/error.h"

namespace omnium::cli {

inline constexpr int kNothingFound = 0;
inline constexpr int kBadInput = 2;  // wrong usage or input
inline constexpr int kViolation = 66;
inline constexpr int kInterrupted = 130;  // by Ctrl-C, before anything was found

using Arguments = std::vector<std::string>;  // without the names of program and command

struct Option {
  char letter;             // '\0': no short form
  std::string_view name;   // without dashes
  std::string_view value;  // what stands for the value in the help; empty: a flag
  std::string help;        // may have several lines
  // A list: the option can be given several times.
  std::variant<bool*, std::string*, Arguments*> target;
};

// The rows of all lists, in order.
std::vector<Option> joined(std::initializer_list<std::vector<Option>> lists);

struct Positionals {
  std::string_view name;
  std::size_t least, most;
  Arguments* target;
};

// The help of a command.
struct Manual {
  std::string_view command;
  std::string_view sentence;
  std::string_view usage;  // after "omnium COMMAND "
  std::string_view example;
  std::string_view exit_status;
  std::vector<Option> options;
  Positionals positionals;
  std::string more;  // printed after the options; may be empty
};

std::string help_text(const Manual& manual);

// Fills the targets. A value: the command ends here with that status; help or a message was
// printed.
std::optional<int> parse(const Manual& manual, const Arguments& arguments);

// Commands that start a program take its words as they are: moves them from `arguments` to the
// result, from behind "--" or from the first word that is neither an option nor an option's value.
Arguments take_program(const Manual& manual, Arguments& arguments);

// "omnium: error: ..." and the status for it.
int usage_error(const Manual& manual, std::string_view message);
// The same for wrong input.
int report_error(const Error& error);

// The text in lines of at most `columns`, the first of which starts at column `indent`; the others
// are indented by that much.
std::string folded(std::string_view text, std::size_t indent, std::size_t columns);
// As wide as the terminal, but not wider than is pleasant to read.
std::size_t reading_width();

struct Command {
  std::string_view name;
  std::string_view summary;  // empty: for Omnium's own use, not listed
  int (*run)(const Arguments& arguments);
};

std::span<const Command> all_commands();
// nullptr if there is none.
const Command* find_command(std::string_view name);
// The message and the status for that.
int unknown_command(std::string_view name);

int run_cc(const Arguments& arguments);
int run_check(const Arguments& arguments);
int run_convert(const Arguments& arguments);
int run_cxx(const Arguments& arguments);
int run_diff(const Arguments& arguments);
int run_doctor(const Arguments& arguments);
int run_engines(const Arguments& arguments);
int run_generate(const Arguments& arguments);
int run_help(const Arguments& arguments);
int run_info(const Arguments& arguments);
int run_merge(const Arguments& arguments);
int run_model(const Arguments& arguments);
int run_predict(const Arguments& arguments);
int run_record(const Arguments& arguments);
int run_refine(const Arguments& arguments);
int run_run(const Arguments& arguments);
int run_hunt(const Arguments& arguments);
int run_replay(const Arguments& arguments);
int run_watch(const Arguments& arguments);
int run_report(const Arguments& arguments);

}  // namespace omnium::cli
