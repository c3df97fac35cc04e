// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/parser.h"

#include <fmt/format.h>

#include "support/display.h"

namespace omnium::cli {

Parser::Parser(const Manual& manual, const Arguments& arguments)
    : manual_(manual), arguments_(arguments) {
  bool only_positionals = false;
  while (next_ < arguments_.size()) {
    const std::string_view word = arguments_[next_++];
    if (only_positionals || word.size() < 2 || word[0] != '-') {
      positionals_.emplace_back(word);
    } else if (word == "--") {
      only_positionals = true;
    } else if (word.starts_with("--")) {
      take_long(word.substr(2));
    } else {
      take_letters(word.substr(1));
    }
  }
}

void Parser::take_long(std::string_view word) {
  const std::size_t equals = word.find('=');
  const Option* option = find(word.substr(0, equals));
  if (option == nullptr) return unknown(fmt::format("--{}", word));
  std::optional<std::string_view> attached;
  if (equals != word.npos) attached = word.substr(equals + 1);
  if (option->value.empty() && attached) {
    return blame(fmt::format("option --{} takes no value", option->name));
  }
  set(*option, attached);
}

void Parser::take_letters(std::string_view word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    const Option* option = find(word[i]);
    if (option == nullptr) return unknown(fmt::format("-{}", word.substr(i)));
    if (!option->value.empty()) {
      const auto rest = word.substr(i + 1);
      return set(*option, rest.empty() ? std::nullopt : std::optional(rest));
    }
    set(*option, std::nullopt);
  }
}

void Parser::set(const Option& option, std::optional<std::string_view> attached) {
  if (bool* const* flag = std::get_if<bool*>(&option.target)) {
    **flag = true;
    return;
  }
  if (!attached && next_ < arguments_.size()) {
    attached = arguments_[next_++];
  } else if (!attached || attached->empty()) {
    return blame(fmt::format("option --{0} needs a value: --{0} {1}", option.name, option.value));
  }
  if (!given_.insert(option.name).second) {
    return blame(fmt::format("option --{} is given twice", option.name));
  }
  *std::get<std::string*>(option.target) = *attached;
}

const Option* Parser::find(std::string_view name) const {
  for (const Option& option : manual_.options) {
    if (option.name == name) return &option;
  }
  return name == help_option_.name ? &help_option_ : nullptr;
}

const Option* Parser::find(char letter) const {
  for (const Option& option : manual_.options) {
    if (option.letter == letter) return &option;
  }
  return letter == help_option_.letter ? &help_option_ : nullptr;
}

void Parser::unknown(std::string_view spelled) {
  std::string known;
  for (const Option& option : manual_.options) known += fmt::format("--{}, ", option.name);
  blame(fmt::format("unknown option '{}' (choose from {}--help)", support::terminal_text(spelled),
                    known));
}

void Parser::blame(std::string message) {
  if (!mistake_) mistake_ = std::move(message);
}

}  // namespace omnium::cli
