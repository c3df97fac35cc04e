// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stored results: `report`.
#include <cstdlib>
#include <regex>

#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

const std::string kLostUpdate =
    "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:7\nt1|w(x)|a.cc:3\nt1|end(inc)|a.cc:4\n";
const std::string kClean = "t1|begin(inc)|a.cc:1\nt1|w(x)|a.cc:2\nt1|end(inc)|a.cc:4\n";

std::string without_times(const std::string& text) {
  return std::regex_replace(text, std::regex(" time=\"[^\"]*\""), "");
}

TEST(Report, RendersAsTheCommandThatFoundIt) {
  const ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  const std::string clean = scratch.file("clean.std", kClean);
  const std::string result = scratch.path("result.json");
  ASSERT_EQ(omnium({"check", "-f", "json", "-o", result, bad, clean}).status, 66);
  const Ran again = omnium({"report", result});
  EXPECT_EQ(again.status, 66);
  EXPECT_EQ(again.out, omnium({"check", bad, clean}).out);
  EXPECT_EQ(omnium({"report", "-f", "json", result}).out, read_whole(result));
}

TEST(Report, ExitStatus) {
  const ScratchDirectory scratch;
  const std::string clean = scratch.file("clean.std", kClean);
  const std::string result = scratch.path("result.json");
  ASSERT_EQ(omnium({"check", "-f", "json", "-o", result, clean}).status, 0);
  EXPECT_EQ(omnium({"report", result}).status, 0);
  const Ran wrong = omnium({"report", "-o", scratch.path("report.txt"), result, clean});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("clean.std: error: this is a trace; to check it: omnium check"),
            std::string::npos)
      << wrong.err;
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"clean.std", "result.json"}));
  EXPECT_EQ(omnium({"report", "-f", "smoke", result}).status, 2);
}

// A document holds all traces, so a wrong one among them leaves the others.
TEST(Report, DocumentsOfSeveralTraces) {
  const ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  const std::string clean = scratch.file("clean.std", kClean);
  const std::string result = scratch.path("result.json");
  ASSERT_EQ(omnium({"check", "-f", "json", "-o", result, bad, clean}).status, 66);
  for (const std::string format : {"sarif", "junit", "github", "dot", "svg", "perfetto"}) {
    const Ran ran = omnium({"report", "-f", format, result});
    EXPECT_EQ(ran.status, 66) << format << ran.err;
    EXPECT_EQ(without_times(omnium({"check", "-f", format, bad, clean}).out),
              without_times(ran.out))
        << format;
    const Ran partly = omnium({"check", "-f", format, bad, scratch.path("missing.std"), clean});
    EXPECT_EQ(partly.status, 2) << format;
    EXPECT_EQ(without_times(partly.out), without_times(ran.out)) << format;
  }
  EXPECT_EQ(omnium({"check", "-e", "all", "-f", "sarif", bad}).status, 2);
}

// One bug, three ways to find it, one id.
TEST(Report, OfEverySourceOfFindings) {
  const ScratchDirectory scratch;
  const std::string lucky =
      scratch.file("lucky.std",
                   "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt1|w(x)|a.cc:3\nt1|end(inc)|a.cc:4\n"
                   "t2|w(x)|b.cc:7\n");
  ASSERT_EQ(omnium({"check", lucky}).status, 0);
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  const std::string model = scratch.path("lucky.omp");
  ASSERT_EQ(omnium({"model", "--from", lucky, "-o", model}).status, 0);
  for (const std::vector<std::string>& source :
       {std::vector<std::string>{"check", bad}, {"predict", lucky}, {"model", model}}) {
    std::vector<std::string> words = source;
    words.insert(words.end(), {"-f", "github"});
    const Ran direct = omnium(words);
    EXPECT_EQ(direct.status, 66) << source[0] << direct.err;
    EXPECT_NE(direct.out.find("title=Omnium av-"), std::string::npos) << source[0] << direct.out;
    EXPECT_NE(direct.out.find("lost update on x"), std::string::npos) << source[0] << direct.out;
    words.back() = "json";
    const std::string result = scratch.file("result.json", omnium(words).out);
    const Ran again = omnium({"report", "-f", "github", result});
    EXPECT_EQ(again.status, 66) << again.err;
    EXPECT_EQ(again.out, direct.out) << source[0];
  }
  const std::string known = scratch.path("known.json");
  ASSERT_EQ(omnium({"predict", "-f", "json", "-o", known, lucky}).status, 66);
  EXPECT_EQ(omnium({"check", "--baseline", known, bad}).status, 0);
}

// Nothing else has to be installed.
TEST(Report, SvgNeedsNoOtherProgram) {
  const ScratchDirectory scratch;
  const std::string bad = scratch.file("bad.std", kLostUpdate);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", scratch.path("nowhere").c_str(), 1);
  const Ran ran = omnium({"check", "-f", "svg", bad});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(ran.status, 66) << ran.err;
  EXPECT_NE(ran.out.find("<g class='cycle'"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace omnium::test
