// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Splits a command line into options and other arguments, by the command's table of options:
//
//   --name VALUE  --name=VALUE  -n VALUE  -nVALUE   an option with a value
//   --name  -n  -nm                                 flags; letters can be joined
//   --                                              everything behind it is no option
//
// Options may stand anywhere; those with one value only once. "-" is an argument like any other.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace omnium::cli {

class Parser {
 public:
  // Fills the targets of the options. Both arguments must outlive the parser.
  Parser(const Manual& manual, const Arguments& arguments);

  // The first mistake; none if all is well.
  const std::optional<std::string>& mistake() const { return mistake_; }
  bool help() const { return help_; }
  // What is no option, in order.
  const Arguments& positionals() const { return positionals_; }

 private:
  void take_long(std::string_view word);
  void take_letters(std::string_view word);
  // Sets the option; `attached` is a value in the same word.
  void set(const Option& option, std::optional<std::string_view> attached);
  const Option* find(std::string_view name) const;
  const Option* find(char letter) const;
  void unknown(std::string_view spelled);
  void blame(std::string message);

  const Manual& manual_;
  const Arguments& arguments_;
  std::size_t next_ = 0;
  bool help_ = false;
  const Option help_option_{'h', "help", "", "", &help_};
  std::set<std::string_view> given_;  // names of options with a value
  Arguments positionals_;
  std::optional<std::string> mistake_;
};

}  // namespace omnium::cli
