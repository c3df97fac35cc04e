// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/manuals.h"

namespace omnium::cli {

namespace {

constexpr std::string_view kDate = "2026-11-18";  // of the version

// Escapes text for troff, so that no character of it is a command.
std::string plain(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// Keeps the line breaks of the text.
std::string lines(std::string_view text) { return fmt::format(".nf\n{}\n.fi\n", plain(text)); }

std::string section(std::string_view name, std::string_view body) {
  return fmt::format(".SH {}\n{}\n", name, body);
}

std::string head(std::string_view page, std::string_view name, std::string_view summary) {
  return fmt::format(".TH {} 1 \"{}\" \"omnium {}\" \"Omnium\"\n{}", page, kDate, OMNIUM_VERSION,
                     section("NAME", fmt::format("{} \\- {}", plain(name), plain(summary))));
}

std::string option_text(const OptionText& option) {
  std::string out = ".TP\n";
  if (option.letter != '\0') out += fmt::format("\\fB\\-{}\\fR, ", option.letter);
  out += fmt::format("\\fB\\-\\-{}\\fR", plain(option.name));
  if (!option.value.empty()) out += fmt::format(" \\fI{}\\fR", plain(option.value));
  // A line of its own stays one.
  std::string help = plain(option.help);
  for (std::size_t at = 0; (at = help.find('\n', at)) != std::string::npos; at += 5) {
    help.replace(at, 1, "\n.br\n");
  }
  return fmt::format("{}\n{}\n", out, help);
}

std::string without_full_stop(std::string_view sentence) {
  if (sentence.ends_with('.')) sentence.remove_suffix(1);
  return std::string(sentence);
}

}  // namespace

std::string man_page(const ManualText& manual) {
  const std::string name = "omnium-" + manual.command;
  std::string out = head("\"" + name + "\"", name, without_full_stop(manual.sentence));
  out += section("SYNOPSIS",
                 fmt::format("\\fBomnium {}\\fR {}", plain(manual.command), plain(manual.usage)));
  out += section("DESCRIPTION", plain(manual.sentence));
  if (!manual.options.empty()) {
    std::string options;
    for (const OptionText& option : manual.options) options += option_text(option);
    out += section("OPTIONS", options);
  }
  if (!manual.more.empty()) out += section("NOTES", lines(manual.more));
  if (!manual.example.empty()) out += section("EXAMPLE", lines(manual.example));
  out += section("EXIT STATUS", plain(manual.exit_status));
  return out + section("SEE ALSO", "\\fBomnium\\fR(1), \\fBomnium help\\fR for guides");
}

std::string man_page_of_all() {
  std::string out = head("OMNIUM", "omnium", "find atomicity violations in multithreaded programs");
  out += section("SYNOPSIS", "\\fBomnium\\fR \\fICOMMAND\\fR [options] ...");
  out += section("DESCRIPTION",
                 "Omnium finds atomicity violations in multithreaded C and C++ programs.");
  std::string commands, see;
  for (const Command& command : all_commands()) {
    if (command.summary.empty()) continue;
    commands += fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(command.name), plain(command.summary));
    if (command.name == "help") continue;
    see += fmt::format("{}\\fBomnium\\-{}\\fR(1)", see.empty() ? "" : ", ", plain(command.name));
  }
  out += section("COMMANDS", commands);
  out += section("EXIT STATUS", "0 no violation, 66 violation found, 2 usage or input error");
  return out + section("SEE ALSO", see);
}

}  // namespace omnium::cli
