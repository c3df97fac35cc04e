// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/manuals.h"
#include "cli/terminal.h"
#include "cli/topics.h"
#include "support/output_file.h"
#include "support/suggestion.h"

namespace omnium::cli {

namespace {

std::string overview() {
  std::string out =
      "Omnium finds atomicity violations in multithreaded C and C++ programs.\n"
      "usage: omnium COMMAND [options] ...\n";
  for (const Command& command : all_commands()) {
    if (!command.summary.empty()) {
      out += fmt::format("  {:<10}  {}\n", command.name, command.summary);
    }
  }
  out += "  --version   print the version\ntopics: omnium help TOPIC\n";
  for (const Topic& topic : all_topics()) {
    out += fmt::format("  {:<14}  {}\n", topic.name, topic.summary);
  }
  return out +
         "example: omnium check run.std\n"
         "exit status: 0 no violation, 66 violation found, 2 usage or input error\n";
}

int write_page(const std::filesystem::path& path, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);
  auto file = support::OutputFile::create(path.string());
  if (!file) return report_error(file.error());
  (*file)->write(text);
  const auto written = (*file)->finish();
  return written ? kNothingFound : report_error(written.error());
}

// Writes man pages and completions, which `cmake --install` puts into share/.
int write_pages(const std::filesystem::path& folder) {
  int status = write_page(folder / "man/man1/omnium.1", man_page_of_all());
  for (const Command& command : all_commands()) {
    if (command.summary.empty() || command.run == run_help) continue;
    const auto page = folder / fmt::format("man/man1/omnium-{}.1", command.name);
    status = std::max(status, write_page(page, man_page(manual_of(command))));
  }
  for (const auto& [shell, file] : {std::pair{"bash", "bash-completion/completions/omnium"},
                                    std::pair{"zsh", "zsh/site-functions/_omnium"},
                                    std::pair{"fish", "fish/vendor_completions.d/omnium.fish"}}) {
    status = std::max(status, write_page(folder / file, completion(shell)));
  }
  return status;
}

int print_completion(const std::string& shell) {
  const std::string script = completion(shell);
  if (script.empty()) {
    constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
    print_error(support::unknown("shell", shell, kShells));
    return kBadInput;
  }
  print_out(script);
  return kNothingFound;
}

}  // namespace

int run_help(const Arguments& arguments) {
  const std::string what = arguments.empty() ? "help" : arguments[0];
  if (arguments.size() == 2 && what == "--pages") return write_pages(arguments[1]);
  if (arguments.size() == 2 && what == "--completion") return print_completion(arguments[1]);
  if (arguments.size() == 2 && what == "--man") {
    const Command* command = find_command(arguments[1]);
    if (command == nullptr) return unknown_command(arguments[1]);
    print_out(command->run == run_help ? man_page_of_all() : man_page(manual_of(*command)));
    return kNothingFound;
  }
  if (what == "help" || what.starts_with('-')) {
    print_out(overview());
    return kNothingFound;
  }
  for (const Topic& topic : all_topics()) {
    if (topic.name != what) continue;
    print_out(page_for_terminal(*topic.page, reading_width(), use_colour(Colour::kAuto, true)));
    return kNothingFound;
  }
  if (const Command* command = find_command(what)) return command->run({"--help"});
  print_error(support::unknown("command or topic", what, help_words()));
  return kBadInput;
}

}  // namespace omnium::cli
