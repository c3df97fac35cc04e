// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Topics, man pages and completions.
#include <filesystem>
#include <sstream>

#include <gtest/gtest.h>

#include "support/display.h"
#include "tests/support/golden.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

TEST(Help, ManPageOfACommand) {
  const Ran page = omnium({"help", "--man", "convert"});
  EXPECT_EQ(page.status, 0);
  expect_golden("tests/cli/golden/man-convert.txt", page.out);
  EXPECT_EQ(omnium({"help", "--man", "nothing"}).status, 2);
}

// Every option that a command has is in its page and in the completions.
TEST(Help, PagesHaveEveryOption) {
  for (const char* command : {"check", "model", "predict", "report"}) {
    const std::string help = omnium({"help", command}).out;
    const std::string page = omnium({"help", "--man", command}).out;
    const std::string fish = omnium({"help", "--completion", "fish"}).out;
    std::size_t options = 0;
    for (std::size_t at = 0; (at = help.find(" --", at)) != std::string::npos;) {
      at += 3;
      const std::string name = help.substr(at, help.find_first_of(" \n", at) - at);
      std::string escaped;
      for (const char c : name) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
      EXPECT_NE(page.find("\\fB\\-\\-" + escaped + "\\fR"), std::string::npos) << name;
      EXPECT_NE(fish.find(std::string("from ") + command + "' -l " + name + " "), std::string::npos)
          << name;
      ++options;
    }
    EXPECT_GT(options, 2u) << command;
  }
}

// The three shells read their scripts without complaint, where they are installed.
TEST(Help, CompletionsAreScripts) {
  const ScratchDirectory scratch;
  for (const std::string shell_name : {"bash", "zsh", "fish"}) {
    const Ran script = omnium({"help", "--completion", shell_name});
    EXPECT_EQ(script.status, 0);
    const std::string file = scratch.file(shell_name, script.out);
    const Ran read = shell("command -v " + shell_name + " >/dev/null || exit 0; " + shell_name +
                           " -n '" + file + "'");
    EXPECT_EQ(read.status, 0) << read.err;
  }
  EXPECT_EQ(omnium({"help", "--completion", "cmd"}).status, 2);
}

std::string completed(const std::string& words, int last) {
  return shell("bash -c 'eval \"$(" OMNIUM_BINARY_DIR
               "/omnium help --completion bash)\"; "
               "COMP_WORDS=(" +
               words + "); COMP_CWORD=" + std::to_string(last) + "; _omnium; echo ${COMPREPLY[*]}'")
      .out;
}

TEST(Help, BashCompletes) {
  EXPECT_EQ(completed("omnium ch", 1), "check\n");
  EXPECT_EQ(completed("omnium check --en", 2), "--engine\n");
  EXPECT_EQ(completed("omnium check --engine aero", 3), "aerodrome aerodrome-basic\n");
  EXPECT_EQ(completed("omnium check -f ht", 3), "html\n");
  EXPECT_EQ(completed("omnium help tut", 2), "tutorial\n");
}

// Code keeps its lines; the rest fits.
void expect_fits(const std::string& page, std::size_t columns) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const bool one_word = line.find(' ', line.find_first_not_of(" *")) == std::string::npos;
    if (line.starts_with("    ") || one_word) continue;
    EXPECT_LE(support::display_width(line), columns) << line;
  }
}

// What is not in the program is not named: files of the documentation are not there when it is
// installed elsewhere.
TEST(Help, TopicsFitTheTerminalAndNameNoFiles) {
  for (const char* topic :
       {"tutorial", "service", "hunting", "what-is-atomic", "false-alarms", "performance", "ci"}) {
    const std::string page = omnium({"help", topic}).out;
    expect_fits(page, 80);
    EXPECT_EQ(page.find(".md)"), std::string::npos) << topic;
    EXPECT_EQ(page.find("]("), std::string::npos) << topic;
    const Ran narrow = shell(
        std::string("script -qec 'stty cols 50; NO_COLOR=1 " OMNIUM_BINARY_DIR "/omnium help ") +
        topic + "' /dev/null </dev/null");
    EXPECT_EQ(narrow.status, 0) << narrow.err;
    expect_fits(narrow.out, 50);
  }
  EXPECT_NE(omnium({"help", "tutorial"}).out.find("`omnium help ci`"), std::string::npos);
}

TEST(Help, PagesForInstallation) {
  const ScratchDirectory scratch;
  EXPECT_EQ(omnium({"help", "--pages", scratch.path("share")}).status, 0);
  for (const char* file :
       {"man/man1/omnium.1", "man/man1/omnium-check.1", "bash-completion/completions/omnium",
        "zsh/site-functions/_omnium", "fish/vendor_completions.d/omnium.fish"}) {
    EXPECT_TRUE(std::filesystem::exists(scratch.path("share") + "/" + file)) << file;
  }
}

}  // namespace
}  // namespace omnium::test
