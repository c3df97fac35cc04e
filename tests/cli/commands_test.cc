// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/golden.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

using nlohmann::json;

constexpr const char* kNested =
    "t1|begin(a)|a.cc:1\nt1|acq(m)|a.cc:2\nt1|acq(m)|a.cc:3\nt1|begin|a.cc:4\nt1|w(x)|a.cc:5\n"
    "t1|end|a.cc:6\nt1|rel(m)|a.cc:7\nt1|rel(m)|a.cc:8\nt2|r(x)|b|c\n";

// The commands that the overview lists.
std::vector<std::string> commands_in(const std::string& overview) {
  std::vector<std::string> names;
  std::istringstream lines(overview.substr(0, overview.find("  --version")));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  EXPECT_GE(names.size(), 15u);
  return names;
}

// The engines are a list of their own; everything else is fixed.
std::string without_engines(std::string help) {
  const std::size_t engines = help.find("  -e, --engine");
  if (engines == std::string::npos) return help;
  return help.erase(engines, help.find("  -s, --spec") - engines);
}

// Every line fits into a terminal.
void expect_narrow(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Help, OfEveryCommand) {
  const Ran overview = omnium({});
  expect_narrow(overview.out);
  EXPECT_EQ(overview.status, 0);
  EXPECT_EQ(omnium({"--help"}).out, overview.out);
  EXPECT_EQ(omnium({"help"}).out, overview.out);
  expect_golden("tests/cli/golden/help.txt", overview.out);
  for (const std::string& command : commands_in(overview.out)) {
    if (command == "help") continue;
    const Ran ran = omnium({"help", command});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(omnium({command, "--help"}).out, ran.out);
    expect_narrow(ran.out);
    const bool lists_engines = command != "run";
    expect_golden("tests/cli/golden/help-" + command + ".txt",
                  lists_engines ? without_engines(ran.out) : ran.out);
  }
  // Only the runtime uses this one, so it is not listed.
  expect_golden("tests/cli/golden/help-watch.txt", omnium({"watch", "--help"}).out);
}

TEST(Version, IsOneLine) {
  const Ran ran = omnium({"--version"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "omnium " OMNIUM_VERSION "\n");
}

TEST(Engines, AreListed) {
  const Ran ran = omnium({"engines"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("\nreach "), std::string::npos);
  EXPECT_NE(ran.out.find("\nconflict-graph "), std::string::npos);
}

TEST(Info, CountsWhatIsThere) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("nested.std", kNested);
  const Ran ran = omnium({"info", "-f", "json", trace});
  EXPECT_EQ(ran.status, 0);
  const json info = json::parse(ran.out);
  EXPECT_EQ(info["events"], 9);
  EXPECT_EQ(info["kinds"]["acquire"], 2);
  EXPECT_EQ(info["depth"], 2);
  EXPECT_EQ(info["open_blocks"], 1);
  EXPECT_EQ(info["longest"]["label"], "a");
  EXPECT_EQ(info["longest"]["events"], 8);
  EXPECT_EQ(info["longest"]["location"], "a.cc:1");
  EXPECT_NE(omnium({"info", trace}).out.find("a (t1), from event 0, a.cc:1"), std::string::npos);
  EXPECT_EQ(omnium({"info", scratch.path("missing")}).status, 2);
}

TEST(Convert, LosesNothing) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("nested.std", kNested);
  ASSERT_EQ(omnium({"convert", trace, scratch.path("t.omt")}).status, 0);
  ASSERT_EQ(omnium({"convert", scratch.path("t.omt"), scratch.path("back.std")}).status, 0);
  EXPECT_EQ(read_whole(scratch.path("back.std")), kNested);
  EXPECT_EQ(omnium({"convert", "--to", "std", trace, "-"}).out, kNested);
}

TEST(Convert, MalformedTracesLeaveNothing) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("bad.std", "t1|w(x)|1\nt1|end|2\n");
  const Ran ran = omnium({"convert", trace, scratch.path("out.omt")});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find(trace + ":2"), std::string::npos) << ran.err;
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"bad.std"});
  EXPECT_EQ(omnium({"convert", trace, scratch.path("out.xyz")}).status, 2);
  EXPECT_EQ(omnium({"convert", "--to", "rr", trace, scratch.path("out")}).status, 2);
}

TEST(Generate, WritesWhatWasAskedFor) {
  ScratchDirectory scratch;
  const std::string trace = scratch.path("t.omt");
  ASSERT_EQ(omnium({"generate", "locks", "--events", "10K", "--violate", "-o", trace}).status, 0);
  EXPECT_EQ(json::parse(omnium({"info", "-f", "json", trace}).out)["events"], 10'000);
  EXPECT_EQ(omnium({"check", trace}).status, 66);
  ASSERT_EQ(omnium({"generate", "locks", "--events", "1_500", "-o", trace}).status, 0);
  EXPECT_EQ(json::parse(omnium({"info", "-f", "json", trace}).out)["events"], 1'500);
}

TEST(Generate, SaysWhatIsWrong) {
  ScratchDirectory scratch;
  const std::string out = scratch.path("t.std");
  EXPECT_EQ(omnium({"generate", "nonesuch", "-o", out}).status, 2);
  EXPECT_EQ(omnium({"generate", "locks"}).status, 2);
  EXPECT_EQ(omnium({"generate", "locks", "--events", "many", "-o", out}).status, 2);
  const Ran ran = omnium({"generate", "locks", "--variables", "5G", "-o", out});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("--variables can be at most 4294967295"), std::string::npos) << ran.err;
  EXPECT_TRUE(scratch.names().empty());
}

}  // namespace
}  // namespace omnium::test
