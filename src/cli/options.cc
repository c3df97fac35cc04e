// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The only file that knows the parser library.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/command.h"
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

std::string names_for_parser(const Option& option) {
  std::string names = fmt::format("--{}", option.name);
  if (option.letter != '\0') names = fmt::format("-{},", option.letter) + names;
  return names;
}

void add(CLI::App& app, const Option& option) {
  if (auto* const* flag = std::get_if<bool*>(&option.target)) {
    app.add_flag(names_for_parser(option), **flag);
  } else {
    app.add_option(names_for_parser(option), *std::get<std::string*>(option.target));
  }
}

std::string all_options(const Manual& manual) {
  std::string out;
  for (const Option& option : manual.options) out += fmt::format("--{}, ", option.name);
  return out + "--help";
}

// The first argument that nothing took, in our words.
std::string unexpected_argument(const Manual& manual, const CLI::App& app) {
  const auto left = app.remaining();
  const std::string first = support::terminal_text(left.empty() ? "" : left.front());
  if (!first.starts_with('-')) return fmt::format("unexpected argument '{}'", first);
  return fmt::format("unknown option '{}'; there are {}", first, all_options(manual));
}

// Does the word stand for an option whose value is the next word?
bool wants_value(const Manual& manual, std::string_view word) {
  return std::ranges::any_of(manual.options, [&](const Option& option) {
    if (option.value.empty()) return false;
    return word == fmt::format("--{}", option.name) ||
           (option.letter != '\0' && word == fmt::format("-{}", option.letter));
  });
}

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

std::string help_text(const Manual& manual) {
  std::string out =
      fmt::format("{}\nusage: omnium {} {}\n", manual.sentence, manual.command, manual.usage);
  std::size_t width = 0;
  for (const Option& option : manual.options) width = std::max(width, spelled(option).size());
  for (const Option& option : manual.options) {
    std::string help = option.help;
    for (std::size_t at = 0; (at = help.find('\n', at)) != std::string::npos;) {
      help.insert(++at, std::string(width + 4, ' '));
    }
    out += fmt::format("  {:<{}}  {}\n", spelled(option), width, help);
  }
  out += manual.more;
  if (!manual.example.empty()) out += fmt::format("example: {}\n", manual.example);
  return out + fmt::format("exit status: {}\n", manual.exit_status);
}

int usage_error(const Manual& manual, std::string_view message) {
  print_error(message);
  fmt::print(stderr, "usage: omnium {} {}\n", manual.command, manual.usage);
  return kBadInput;
}

std::optional<int> parse(const Manual& manual, const Arguments& arguments) {
  CLI::App app;
  app.set_help_flag();
  bool help = false;
  app.add_flag("-h,--help", help);
  for (const Option& option : manual.options) add(app, option);
  if (manual.positionals.target != nullptr) {
    app.add_option("positionals", *manual.positionals.target);
  }
  app.allow_extras();
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    return usage_error(manual, support::terminal_text(error.what()));
  }
  if (help) {
    print_out(help_text(manual));
    return kNothingFound;
  }
  if (app.remaining_size() != 0) return usage_error(manual, unexpected_argument(manual, app));
  if (manual.positionals.target == nullptr) return std::nullopt;
  const std::size_t count = manual.positionals.target->size();
  if (count < manual.positionals.least) {
    return usage_error(manual, fmt::format("{} is missing", manual.positionals.name));
  }
  if (count > manual.positionals.most) {
    return usage_error(
        manual,
        fmt::format("unexpected argument '{}'",
                    support::terminal_text((*manual.positionals.target)[manual.positionals.most])));
  }
  return std::nullopt;
}

}  // namespace omnium::cli
