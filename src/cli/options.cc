// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/manuals.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "support/display.h"

namespace omnium::cli {

namespace {

std::string spelled(const Option& option) {
  std::string out = option.letter == '\0' ? "    " : fmt::format("-{}, ", option.letter);
  out += fmt::format("--{}", option.name);
  if (!option.value.empty()) out += fmt::format(" {}", option.value);
  return out;
}

// Does the word stand for an option whose value is the next word?
bool wants_value(const Manual& manual, std::string_view word) {
  return std::ranges::any_of(manual.options, [&](const Option& option) {
    if (option.value.empty()) return false;
    return word == fmt::format("--{}", option.name) ||
           (option.letter != '\0' && word == fmt::format("-{}", option.letter));
  });
}

ManualText owned(const Manual& manual) {
  ManualText out{std::string(manual.command),
                 std::string(manual.sentence),
                 std::string(manual.usage),
                 std::string(manual.example),
                 std::string(manual.exit_status),
                 manual.more,
                 {}};
  for (const Option& option : manual.options) {
    out.options.push_back({option.letter, std::string(option.name), std::string(option.value),
                           option.help, std::holds_alternative<Arguments*>(option.target)});
  }
  return out;
}

// If set, the next help is stored here instead of being printed.
ManualText* wanted_manual = nullptr;

}  // namespace

Arguments take_program(const Manual& manual, Arguments& arguments) {
  std::size_t end = 0;  // of the options
  while (end < arguments.size() && arguments[end].starts_with('-') && arguments[end] != "--") {
    end += wants_value(manual, arguments[end]) ? 2 : 1;
  }
  end = std::min(end, arguments.size());
  const bool marked = end < arguments.size() && arguments[end] == "--";
  const auto at = [&](std::size_t i) { return arguments.begin() + static_cast<std::ptrdiff_t>(i); };
  Arguments program(at(end + marked), arguments.end());
  arguments.erase(at(end), arguments.end());
  return program;
}

ManualText manual_of(const Command& command) {
  ManualText out;
  wanted_manual = &out;
  command.run({"--help"});
  wanted_manual = nullptr;
  return out;
}

std::vector<Option> joined(std::initializer_list<std::vector<Option>> lists) {
  std::vector<Option> out;
  for (const auto& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

std::string help_text(const Manual& manual) {
  if (wanted_manual != nullptr) {
    *wanted_manual = owned(manual);
    return "";
  }
  std::string out = fmt::format("{}\nusage: omnium {}{}{}\n", manual.sentence, manual.command,
                                manual.usage.empty() ? "" : " ", manual.usage);
  const std::size_t columns = reading_width();
  std::size_t width = 0;
  for (const Option& option : manual.options) width = std::max(width, spelled(option).size());
  for (const Option& option : manual.options) {
    out += fmt::format("  {:<{}}  {}\n", spelled(option), width,
                       folded(option.help, width + 4, columns));
  }
  out += manual.more;
  if (!manual.example.empty()) out += fmt::format("example: {}\n", manual.example);
  return out + folded(fmt::format("exit status: {}", manual.exit_status), 0, columns) + "\n";
}

int usage_error(const Manual& manual, std::string_view message) {
  print_error(message);
  fmt::print(stderr, "usage: omnium {} {}\n", manual.command, manual.usage);
  return kBadInput;
}

int report_error(const Error& error) {
  print_error(error);
  return kBadInput;
}

std::size_t reading_width() {
  constexpr std::size_t kWidest = 100;
  return std::min(terminal_width(), kWidest);
}

std::string folded(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string out;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const bool first = column == indent;
    if (!first && column + 1 + word.size() > columns) {
      out += fmt::format("\n{:{}}", "", indent);
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    if (end < text.size() && text[end] == '\n') {
      out += fmt::format("\n{:{}}", "", indent);
      column = indent;
    }
    at = end + 1;
  }
  return out;
}

std::optional<int> parse(const Manual& manual, const Arguments& arguments) {
  const Parser parser(manual, arguments);
  if (parser.help()) {
    print_out(help_text(manual));
    return kNothingFound;
  }
  if (parser.mistake()) return usage_error(manual, *parser.mistake());
  const Positionals& wanted = manual.positionals;
  const Arguments& found = parser.positionals();
  if (found.size() < wanted.least) {
    return usage_error(
        manual, fmt::format("{}: {}", wanted.least == 2 ? "expected two files" : "missing argument",
                            wanted.name));
  }
  if (found.size() > wanted.most) {
    return usage_error(manual, fmt::format("unexpected argument '{}'",
                                           support::terminal_text(found[wanted.most])));
  }
  if (wanted.target != nullptr) *wanted.target = found;
  return std::nullopt;
}

}  // namespace omnium::cli
