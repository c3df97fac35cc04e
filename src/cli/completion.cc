// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/manuals.h"

namespace omnium::cli {

namespace {

// The words that an option's value can be, separated by blanks.
std::string words_of(const ManualText& manual, const OptionText& option) {
  return fmt::format("{}", fmt::join(choices(manual.command, option.name), " "));
}

// Is the value the name of a file? Otherwise it is one of some words, a number, or a name.
bool takes_file(const OptionText& option) {
  for (const std::string_view part : {"FILE", "DIR", "TRACE", "json"}) {
    if (option.value.find(part) != std::string::npos) return true;
  }
  return false;
}

// Is the value the name of a block? The traces on the command line know some.
bool takes_block(const OptionText& option) { return option.value == "BLOCK"; }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// For a word inside single quotes.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

// The manuals of the commands that are listed; `help` has none.
struct Everything {
  std::vector<ManualText> manuals;
  std::string commands;  // names, separated by blanks
};

Everything everything() {
  Everything out;
  for (const Command& command : all_commands()) {
    if (command.summary.empty()) continue;
    out.commands += fmt::format("{}{}", out.commands.empty() ? "" : " ", command.name);
    if (command.run != run_help) out.manuals.push_back(manual_of(command));
  }
  return out;
}

// Commands whose first argument is one of some words.
constexpr std::string_view kWithWords[] = {"help", "generate"};
std::string argument_words(std::string_view command) {
  return fmt::format("{}", fmt::join(argument_choices(command), " "));
}

std::string option_words(const ManualText& manual) {
  std::string out;
  for (const OptionText& option : manual.options) {
    out += fmt::format("--{} ", option.name);
    if (option.letter != '\0') out += fmt::format("-{} ", option.letter);
  }
  return out + "--help";
}

// "check:--engine|check:-e": how bash names the option before the word.
std::string spelled_for_bash(const ManualText& manual, const OptionText& option) {
  std::string out = fmt::format("{}:--{}", manual.command, option.name);
  if (option.letter != '\0') out += fmt::format("|{}:-{}", manual.command, option.letter);
  return out;
}

std::string for_bash() {
  const Everything all = everything();
  std::string options, values, arguments;
  for (const ManualText& manual : all.manuals) {
    options += fmt::format("    {}) options='{}' ;;\n", manual.command, option_words(manual));
    for (const OptionText& option : manual.options) {
      if (option.value.empty()) continue;
      std::string action =
          fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\"))", words_of(manual, option));
      if (takes_file(option)) action = "COMPREPLY=($(compgen -f -- \"$word\"))";
      if (takes_block(option)) action = "_omnium_blocks \"$word\"";
      values += fmt::format("    {}) {}; return ;;\n", spelled_for_bash(manual, option), action);
    }
  }
  for (const std::string_view command : kWithWords) {
    arguments += fmt::format("    {}:2:[!-]*|{}:2:) words='{}' ;;\n", command, command,
                             argument_words(command));
  }
  return fmt::format(
      "# Completion of omnium for bash.\n"
      "_omnium_blocks() {{  # WORD: names of the blocks of the traces on the line\n"
      "  local name file IFS=$'\\n'\n"
      "  for file in \"${{COMP_WORDS[@]:2}}\"; do\n"
      "    [ -f \"$file\" ] || continue\n"
      "    for name in $(timeout 5 \"${{COMP_WORDS[0]}}\" info --labels \"$file\" 2>/dev/null); do\n"
      "      case $name in \"$1\"*) COMPREPLY+=(\"$(printf %q \"$name\")\") ;; esac\n"
      "    done\n"
      "  done\n"
      "  compopt +o filenames\n"
      "}}\n"
      "_omnium() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  local command=${{COMP_WORDS[1]}} options= words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --version --help' -- \"$word\")); return\n"
      "  fi\n"
      "  # --name=value is three words.\n"
      "  if [ \"$word\" = = ]; then word=; "
      "elif [ \"$before\" = = ]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n"
      "  case $command:$before in\n{}  esac\n"
      "  case $command in\n{}  esac\n"
      "  case $command:$COMP_CWORD:$word in\n{}  esac\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
      "    *) if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "       else COMPREPLY=($(compgen -f -- \"$word\")); fi ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _omnium omnium\n",
      all.commands, values, options, arguments);
}

// An option's specification for _arguments; brackets and colons have a meaning in it.
std::string for_arguments(const ManualText& manual, const OptionText& option) {
  std::string told;
  for (const char c : quoted(first_line(option.help))) {
    if (c == '[' || c == ']' || c == ':') told += '\\';
    told += c;
  }
  std::string value;
  if (!option.value.empty()) {
    std::string action = fmt::format("({})", words_of(manual, option));
    if (takes_file(option)) action = "_files";
    if (takes_block(option)) action = "_omnium_blocks";
    value = fmt::format(":{}:{}", option.value, action == "()" ? " " : action);
  }
  const std::string_view again = option.several ? "*" : "";
  std::string out;
  if (option.letter != '\0') {
    out += fmt::format(" \\\n      '{}-{}[{}]{}'", again, option.letter, told, value);
  }
  return out + fmt::format(" \\\n      '{}--{}{}[{}]{}'", again, option.name,
                           value.empty() ? "" : "=", told, value);
}

std::string for_zsh() {
  const Everything all = everything();
  std::string commands, cases;
  for (const Command& command : all_commands()) {
    if (command.summary.empty()) continue;
    commands += fmt::format("    '{}:{}'\n", command.name, quoted(command.summary));
  }
  for (const ManualText& manual : all.manuals) {
    cases += fmt::format("    {}) _arguments", manual.command);
    for (const OptionText& option : manual.options) cases += for_arguments(manual, option);
    const std::string words = argument_words(manual.command);
    cases += fmt::format(" \\\n      '--help[explain the command]' '*:{}' ;;\n",
                         words.empty() ? "file:_files" : fmt::format("word:({})", words));
  }
  return fmt::format(
      "#compdef omnium\n"
      "# Completion of omnium for zsh.\n"
      "_omnium_blocks() {{  # names of the blocks of the traces on the line\n"
      "  local file; local -a names\n"
      "  for file in $words; do\n"
      "    [[ -f $file ]] && names+=(${{(f)\"$(timeout 5 omnium info --labels $file 2>/dev/null)\"}})\n"
      "  done\n"
      "  compadd -a names\n"
      "}}\n"
      "_omnium() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n{}    help) _arguments '1:topic:({})' ;;\n  esac\n"
      "}}\n"
      "# Read by the completion system, or by a start file.\n"
      "if [ \"$funcstack[1]\" = _omnium ]; then _omnium \"$@\"; else compdef _omnium omnium; fi\n",
      commands, cases, argument_words("help"));
}

std::string for_fish() {
  const Everything all = everything();
  std::string out =
      "# Completion of omnium for fish.\n"
      "function __omnium_blocks  # names of the blocks of the traces on the line\n"
      "  for file in (commandline -opc)[3..-1]\n"
      "    test -f $file; and timeout 5 omnium info --labels $file 2>/dev/null\n"
      "  end\n"
      "end\n"
      "complete -c omnium -n __fish_use_subcommand -f\n";
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
      if (takes_block(option)) {
        out += " -x -a '(__omnium_blocks)'";
      } else if (takes_file(option)) {
        out += " -r -F";
      } else if (!option.value.empty()) {
        out += fmt::format(" -x -a '{}'", words_of(manual, option));
      }
      out += fmt::format(" -d '{}'\n", quoted(first_line(option.help)));
    }
  }
  for (const std::string_view command : kWithWords) {
    out += fmt::format("complete -c omnium -n '__fish_seen_subcommand_from {}' -f -a '{}'\n",
                       command, argument_words(command));
  }
  return out;
}

}  // namespace

std::string completion(std::string_view shell) {
  if (shell == "bash") return for_bash();
  if (shell == "zsh") return for_zsh();
  return shell == "fish" ? for_fish() : "";
}

}  // namespace omnium::cli
