// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/manuals.h"
#include "cli/topics.h"
#include "engines/registry.h"
#include "report/format.h"

namespace omnium::cli {

namespace {

// Words that an option's value can be; none: a file.
std::string choices(const OptionText& option) {
  std::string out;
  const auto add = [&](std::string_view word) { out += fmt::format(" {}", word); };
  if (option.name == "engine") {
    for (const EngineEntry& engine : all_engines()) add(engine.info.name);
    add("all");
  } else if (option.name == "format") {
    for (const report::Format& format : report::all_formats()) add(format.name);
  } else if (option.name == "color") {
    out = " auto always never";
  } else if (option.name == "profile") {
    out = " naive paper";
  }
  return out.empty() ? out : out.substr(1);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// For a word inside single quotes.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

// The manuals of the commands that are listed, and the words that `help` explains.
struct Everything {
  std::vector<ManualText> manuals;
  std::string commands;  // names, separated by blanks
  std::string topics;    // the same with topics
};

Everything everything() {
  Everything out;
  for (const Command& command : all_commands()) {
    if (command.summary.empty()) continue;
    out.commands += fmt::format("{}{}", out.commands.empty() ? "" : " ", command.name);
    if (command.run != run_help) out.manuals.push_back(manual_of(command));
  }
  out.topics = out.commands;
  for (const Topic& topic : all_topics()) out.topics += fmt::format(" {}", topic.name);
  return out;
}

std::string option_words(const ManualText& manual) {
  std::string out;
  for (const OptionText& option : manual.options) {
    out += fmt::format("--{} ", option.name);
    if (option.letter != '\0') out += fmt::format("-{} ", option.letter);
  }
  return out + "--help";
}

std::string for_bash() {
  const Everything all = everything();
  std::string options, values;
  for (const ManualText& manual : all.manuals) {
    options += fmt::format("    {}) options='{}' ;;\n", manual.command, option_words(manual));
    for (const OptionText& option : manual.options) {
      if (option.value.empty()) continue;
      const std::string words = choices(option);
      std::string spelled = fmt::format("{}:--{}", manual.command, option.name);
      if (option.letter != '\0') spelled += fmt::format("|{}:-{}", manual.command, option.letter);
      values +=
          fmt::format("    {}) {} ;;\n", spelled,
                      words.empty() ? std::string("COMPREPLY=($(compgen -f -- \"$word\")); return")
                                    : fmt::format("words='{}'", words));
    }
  }
  return fmt::format(
      "# Completion of omnium for bash.\n"
      "_omnium() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local command=${{COMP_WORDS[1]}} options= words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --version --help' -- \"$word\")); return\n"
      "  fi\n"
      "  case $command in\n{}    help) words='{}' ;;\n  esac\n"
      "  case $command:$before in\n{}  esac\n"
      "  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); return; fi\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _omnium omnium\n",
      all.commands, options, all.topics, values);
}

std::string for_zsh() {
  const Everything all = everything();
  std::string commands, cases;
  for (const Command& command : all_commands()) {
    if (command.summary.empty()) continue;
    commands += fmt::format("    '{}:{}'\n", command.name, quoted(command.summary));
  }
  // Brackets and colons have a meaning in a specification.
  const auto told = [](const OptionText& option) {
    std::string out;
    for (const char c : quoted(first_line(option.help))) {
      if (c == '[' || c == ']' || c == ':') out += '\\';
      out += c;
    }
    return out;
  };
  for (const ManualText& manual : all.manuals) {
    cases += fmt::format("    {}) _arguments", manual.command);
    for (const OptionText& option : manual.options) {
      const std::string words = choices(option);
      const std::string value =
          option.value.empty()
              ? ""
              : fmt::format(":{}:{}", option.value, words.empty() ? "_files" : "(" + words + ")");
      const auto add = [&](const std::string& name) {
        cases += fmt::format(" \\\n      '{}[{}]{}'", name, told(option), value);
      };
      if (option.letter != '\0') add(fmt::format("-{}", option.letter));
      add(fmt::format("--{}", option.name));
    }
    cases += " \\\n      '--help[explain the command]' '*:file:_files' ;;\n";
  }
  return fmt::format(
      "#compdef omnium\n"
      "# Completion of omnium for zsh.\n"
      "_omnium() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n{}    help) _values topic {} ;;\n  esac\n"
      "}}\n"
      "_omnium \"$@\"\n",
      commands, cases, all.topics);
}

std::string for_fish() {
  const Everything all = everything();
  std::string out =
      "# Completion of omnium for fish.\ncomplete -c omnium -n __fish_use_subcommand -f\n";
  for (const Command& command : all_commands()) {
    if (command.summary.empty()) continue;
    out += fmt::format("complete -c omnium -n __fish_use_subcommand -a '{}' -d '{}'\n",
                       command.name, quoted(command.summary));
  }
  for (const ManualText& manual : all.manuals) {
    for (const OptionText& option : manual.options) {
      out += fmt::format("complete -c omnium -n '__fish_seen_subcommand_from {}' -l {}",
                         manual.command, option.name);
      if (option.letter != '\0') out += fmt::format(" -s {}", option.letter);
      const std::string words = choices(option);
      if (!option.value.empty()) out += words.empty() ? " -r" : fmt::format(" -x -a '{}'", words);
      out += fmt::format(" -d '{}'\n", quoted(first_line(option.help)));
    }
  }
  return out + fmt::format("complete -c omnium -n '__fish_seen_subcommand_from help' -f -a '{}'\n",
                           all.topics);
}

}  // namespace

std::string completion(std::string_view shell) {
  if (shell == "bash") return for_bash();
  if (shell == "zsh") return for_zsh();
  return shell == "fish" ? for_fish() : "";
}

}  // namespace omnium::cli
