// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Words that are misspelt, and files that are something else.
#include "support/suggestion.h"

#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

TEST(Suggestion, EditDistance) {
  using support::edit_distance;
  EXPECT_EQ(edit_distance("check", "check"), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("chekc", "check"), 1u);   // swapped
  EXPECT_EQ(edit_distance("chck", "check"), 1u);    // left out
  EXPECT_EQ(edit_distance("cheeck", "check"), 1u);  // doubled
  EXPECT_EQ(edit_distance("chack", "check"), 1u);   // replaced
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);        // no letter is edited twice
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Suggestion, NearestWord) {
  constexpr std::string_view kWords[] = {"check", "convert", "cc", "predict", "report", "record"};
  EXPECT_EQ(support::nearest("chekc", kWords), "check");
  EXPECT_EQ(support::nearest("pre", kWords), "predict");  // an abbreviation
  EXPECT_EQ(support::nearest("reprot", kWords), "report");
  EXPECT_EQ(support::nearest("xyz", kWords), "");
  EXPECT_EQ(support::nearest("", kWords), "");
  EXPECT_EQ(support::nearest("z", kWords), "");  // no letter of it would be left
  EXPECT_EQ(support::nearest(std::string(100, 'c'), kWords), "");
  EXPECT_EQ(support::nearest("check", {}), "");
}

struct Misspelt {
  std::vector<std::string> arguments;
  std::string message;
};

TEST(Suggestion, EveryKindOfWord) {
  for (const Misspelt& wrong : std::vector<Misspelt>{
           {{"chekc"}, "unknown command 'chekc'; did you mean 'check'?"},
           {{"xyz"}, "unknown command 'xyz' (choose from cc, c++, run"},
           {{"check", "--engin", "x"}, "unknown option '--engin'; did you mean '--engine'?"},
           {{"check", "--fromat=json", "x"}, "unknown option '--fromat=json'; did you mean"},
           {{"check", "-e", "reech", "x"}, "unknown engine 'reech'; did you mean 'reach'?"},
           {{"check", "-f", "htm", "x"}, "unknown format 'htm'; did you mean 'html'?"},
           {{"info", "-f", "jsn", "x"}, "unknown format 'jsn'; did you mean 'json'?"},
           {{"check", "--color", "alway", "x"}, "unknown value of --color 'alway'; did you mean"},
           {{"check", "--waits", "splt", "x"}, "unknown value of --waits 'splt'; did you mean"},
           {{"check", "--profile", "naiv", "x"}, "unknown profile 'naiv'; did you mean 'naive'?"},
           {{"predict", "-m", "blok", "x"}, "unknown method 'blok'; did you mean 'block'?"},
           {{"predict", "--atomicity", "veiw", "x"},
            "unknown atomicity 'veiw'; did you mean 'view'"},
           {{"run", "--blocks", "function", "--", "x"},
            "unknown value of --blocks 'function'; did"},
           {{"hunt", "--way", "nois", "--", "x"}, "unknown way 'nois'; did you mean 'noise'?"},
           {{"generate", "lock", "-o", "a.std"}, "unknown family 'lock'; did you mean 'locks'?"},
           {{"convert", "--to", "cvs", "a", "b"},
            "unknown trace format 'cvs'; did you mean 'csv'?"},
           {{"help", "tutorail"}, "unknown command or topic 'tutorail'; did you mean 'tutorial'?"},
           {{"help", "--completion", "bsh"}, "unknown shell 'bsh'; did you mean 'bash'?"}}) {
    const Ran ran = omnium(wrong.arguments);
    EXPECT_EQ(ran.status, 2) << wrong.message;
    EXPECT_TRUE(ran.err.starts_with("omnium: error: " + wrong.message)) << ran.err;
  }
}

constexpr const char* kBank =
    "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:7\nt1|w(x)|a.cc:3\nt1|end|a.cc:4\n";

TEST(OtherInput, SaysWhatToDo) {
  ScratchDirectory scratch;
  const std::string trace = scratch.file("bank.std", kBank);
  const std::string model = scratch.file("small.omp", "shared bool x;\n");
  const std::string source = scratch.file("bank.cpp", "int main() {}\n");
  const std::string packed = scratch.file("bank.gz", "\x1f\x8b and so on");
  const std::string result = scratch.path("result.json"), binary = scratch.path("bank.omt");
  ASSERT_EQ(omnium({"check", "-o", result, trace}).status, 66);
  ASSERT_EQ(omnium({"convert", trace, binary}).status, 0);
  const std::string program = OMNIUM_BINARY_DIR "/omnium";
  for (const Misspelt& wrong : std::vector<Misspelt>{
           {{"check", program}, "this is a program; to run and check it: omnium run -- " + program},
           {{"predict", program}, "this is a program; to run"},
           {{"info", result}, "this is a stored result; to render it: omnium report " + result},
           {{"check", model}, "this is a model; to explore it: omnium model " + model},
           {{"check", source}, "this is source code; to compile it"},
           {{"check", packed}, "this file is compressed; unpack it first"},
           {{"check", scratch.path(".")}, "this is a directory; give the files"},
           {{"report", binary}, "this is a trace; to check it: omnium check " + binary},
           {{"report", trace}, "this is a trace; to check it: omnium check " + trace},
           {{"report", program}, "this is a program; to run"},
           {{"model", binary}, "this is a trace; to check it"},
           {{"run", "--", binary}, "this is a trace; to check it"},
           {{"record", "-o", scratch.path("o.omt"), "--", result}, "this is a stored result"},
           {{"hunt", "--", model}, "this is a model; to explore it"}}) {
    const Ran ran = omnium(wrong.arguments);
    EXPECT_EQ(ran.status, 2) << wrong.message;
    EXPECT_NE(ran.err.find(": error: " + wrong.message), std::string::npos) << ran.err;
  }
}

TEST(OtherInput, AnEmptyTraceIsTold) {
  ScratchDirectory scratch;
  const Ran ran = omnium({"check", scratch.file("empty.std", "")});
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.err.find("empty.std: the trace is empty"), std::string::npos) << ran.err;
}

TEST(OtherInput, BlocksCanBeRequired) {
  ScratchDirectory scratch;
  const std::string none = scratch.file("none.std", "t1|r(x)|a.cc:1\nt2|w(x)|a.cc:2\n");
  const std::string some = scratch.file("some.std", "t1|begin(a)|-\nt1|r(x)|-\nt1|end|-\n");
  EXPECT_EQ(omnium({"check", none}).status, 0);
  const Ran ran = omnium({"check", "--require-blocks", none});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("nothing was checked: no atomic block"), std::string::npos) << ran.err;
  EXPECT_EQ(omnium({"check", "--require-blocks", none, some}).status, 0);
  // A block that need not be atomic does not count.
  const std::string spec = scratch.file("spec", "not-atomic a\n");
  EXPECT_EQ(omnium({"check", "--require-blocks", "-s", spec, some}).status, 2);
}

}  // namespace
}  // namespace omnium::test
