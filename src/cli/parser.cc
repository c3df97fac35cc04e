// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/parser.h"

#include <algorithm>

#include <fmt/format.h>

#include "support/display.h"
#include "support/suggestion.h"

namespace omnium::cli {

namespace {

constexpr std::string_view kSeveral =
    "; for several reports give several files: -o a.html -o b.sarif";

bool is_list(const Option& option) { return std::holds_alternative<Arguments*>(option.target); }

}  // namespace

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
  if (Arguments* const* list = std::get_if<Arguments*>(&option.target)) {
    (*list)->emplace_back(*attached);
    return;
  }
  if (!given_.insert(option.name).second) {
    const bool several = option.name == "format" && std::ranges::any_of(manual_.options, is_list);
    return blame(fmt::format("option --{} is given twice{}", option.name, several ? kSeveral : ""));
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
  std::vector<std::string_view> known;
  for (const Option& option : manual_.options) known.push_back(option.name);
  known.push_back("help");
  // A letter is no beginning of a word.
  const std::string_view word = spelled.substr(0, spelled.find('='));
  const std::string_view meant =
      word.starts_with("--") ? support::nearest(word.substr(2), known) : "";
  const std::string start = fmt::format("unknown option '{}'", support::terminal_text(spelled));
  blame(meant.empty() ? fmt::format("{} (choose from --{})", start, fmt::join(known, ", --"))
                      : fmt::format("{}; did you mean '--{}'?", start, meant));
}

void Parser::blame(std::string message) {
  if (!mistake_) mistake_ = std::move(message);
}

}  // namespace omnium::cli
