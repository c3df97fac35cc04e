// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stored results: `report`.
#include <gtest/gtest.h>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

const std::string kLostUpdate =
    "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:7\nt1|w(x)|a.cc:3\nt1|end(inc)|a.cc:4\n";
const std::string kClean = "t1|begin(inc)|a.cc:1\nt1|w(x)|a.cc:2\nt1|end(inc)|a.cc:4\n";

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
  EXPECT_NE(wrong.err.find("clean.std:1:1: error: expected a result of -f json, got 't1|begin"),
            std::string::npos)
      << wrong.err;
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"clean.std", "result.json"}));
  EXPECT_EQ(omnium({"report", "-f", "smoke", result}).status, 2);
}

}  // namespace
}  // namespace omnium::test
