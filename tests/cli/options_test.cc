// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every way to write a command line, and what is said about the wrong ones.
#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

constexpr const char* kTrace = "t1|begin(a)|a.cc:1\nt1|r(x)|a.cc:2\nt1|end|a.cc:3\n";

TEST(Options, CanBeWrittenInSeveralWays) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("fine.std", kTrace);
  const std::string json = omnium({"info", "--format", "json", trace}).out;
  ASSERT_TRUE(json.starts_with("{")) << json;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--format=json", trace},
                                             {"-f", "json", trace},
                                             {"-fjson", trace},
                                             {trace, "-f", "json"},
                                             {"-f", "json", "--", trace}}) {
    std::vector<std::string> arguments{"info"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    EXPECT_EQ(omnium(arguments).out, json) << words[0];
  }
  EXPECT_EQ(omnium({"check", "--all", "--stats", "--all", trace}).status, 0);
  EXPECT_EQ(omnium({"info", "-f", "json", "-"}, kTrace).status, 0);
}

TEST(Options, HelpWinsOverMistakes) {
  const std::string help = omnium({"check", "--help"}).out;
  EXPECT_EQ(omnium({"check", "--bogus", "-h"}).out, help);
  EXPECT_EQ(omnium({"check", "x.std", "--help"}).out, help);
  // Not behind "--", nor as the value of an option.
  EXPECT_NE(omnium({"check", "--", "--help"}).out, help);
  EXPECT_NE(omnium({"check", "-e", "--help", "x.std"}).out, help);
}

struct Wrong {
  std::vector<std::string> arguments;
  std::string message;
};

TEST(Options, MistakesAreNamed) {
  for (const Wrong& wrong : std::vector<Wrong>{
           {{"check", "--engine"}, "option --engine needs a value: --engine NAME"},
           {{"check", "-e"}, "option --engine needs a value: --engine NAME"},
           {{"check", "--engine=", "x.std"}, "option --engine needs a value: --engine NAME"},
           {{"check", "-e", "reach", "--engine=reach", "x.std"}, "option --engine is given twice"},
           {{"check", "--stats=1", "x.std"}, "option --stats takes no value"},
           {{"check", "--bogus=1", "x.std"}, "unknown option '--bogus=1'"},
           {{"check", "-z", "x.std"}, "unknown option '-z'"},
           {{"check", "--no\033[31mt", "x.std"}, "unknown option '--no\\x1b[31mt'"},
           {{"engines", "all"}, "unexpected argument 'all'"},
           {{"info", "a.std", "b.std"}, "unexpected argument 'b.std'"}}) {
    const Ran ran = omnium(wrong.arguments);
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(ran.err.starts_with("omnium: error: " + wrong.message)) << ran.err;
    EXPECT_NE(ran.err.find("\nusage: omnium " + wrong.arguments[0]), std::string::npos) << ran.err;
    EXPECT_TRUE(ran.out.empty()) << ran.out;
  }
}

}  // namespace
}  // namespace omnium::test
