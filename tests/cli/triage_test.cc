// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Living with findings: --suppressions, --baseline, diff.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

// A lost update of `block` on x.
std::string lost_update(const std::string& block) {
  return "t1|begin(" + block + ")|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:7\nt1|w(x)|a.cc:3\nt1|end(" +
         block + ")|a.cc:4\n";
}

class Living : public testing::Test {
 protected:
  // The result of checking the files.
  std::string result(const std::string& name, const std::vector<std::string>& traces) {
    std::vector<std::string> words{"check", "-f", "json", "-o", scratch_.path(name)};
    words.insert(words.end(), traces.begin(), traces.end());
    EXPECT_NE(omnium(words).status, 2);
    return scratch_.path(name);
  }

  ScratchDirectory scratch_;
  std::string one_ = scratch_.file("one.std", lost_update("one"));
  std::string two_ = scratch_.file("two.std", lost_update("two"));
};

TEST_F(Living, Suppressions) {
  const std::string both = scratch_.file(
      "both.supp",
      "suppress block one because A\nsuppress object x because B\nsuppress av-? because C\n");
  const Ran ran = omnium({"check", "--suppressions", both, one_, two_});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out.find("VIOLATION"), std::string::npos) << ran.out;
  const std::string own = "omnium: " + both;
  EXPECT_EQ(ran.err, own + ":1: suppress block one: matched 1 cause with 1 violation\n" + own +
                         ":2: suppress object x: matched 2 causes with 2 violations\n" +
                         "omnium: warning: " + both +
                         ":3: suppress av-?: stale: matches nothing\n");
  const std::string first = scratch_.file("first.supp", "suppress block one because A\n");
  const Ran left = omnium({"check", "--suppressions", first, "-f", "json", one_, two_});
  EXPECT_EQ(left.status, 66);
  const auto json = nlohmann::json::parse(left.out.substr(0, left.out.find('\n')));
  EXPECT_EQ(json["causes"][0]["suppressed"], "A");
  EXPECT_EQ(json["serializable"], false);
  // What a stored result says stays said.
  const std::string stored = scratch_.file("stored.json", left.out);
  EXPECT_EQ(omnium({"report", stored}).out,
            omnium({"check", "--suppressions", first, one_, two_}).out);
  const std::string wrong = scratch_.file("wrong.supp", "suppress av-1\n");
  const Ran bad = omnium({"check", "--suppressions", wrong, one_});
  EXPECT_EQ(bad.status, 2);
  EXPECT_TRUE(bad.err.starts_with(wrong + ":1:1: error: expected 'suppress")) << bad.err;
  EXPECT_EQ(omnium({"check", "-e", "all", "--suppressions", first, one_}).status, 2);
}

TEST_F(Living, Baseline) {
  const std::string old = result("old.json", {one_});
  const Ran nothing = omnium({"check", "--baseline", old, one_});
  EXPECT_EQ(nothing.status, 0);
  EXPECT_EQ(nothing.err,
            "omnium: " + old + ": 1 cause known, 0 new, 0 baseline findings not seen\n");
  const Ran something = omnium({"check", "--baseline", old, one_, two_});
  EXPECT_EQ(something.status, 66);
  EXPECT_NE(something.out.find("\ntwo  a.cc:1  was not atomic"), std::string::npos);
  EXPECT_EQ(something.out.find("\none  a.cc:1  was not atomic"), std::string::npos);
  // The next baseline has both.
  const std::string next = scratch_.file(
      "next.json", omnium({"check", "--baseline", old, "-f", "json", one_, two_}).out);
  EXPECT_EQ(omnium({"check", "--baseline", next, one_, two_}).status, 0);
  EXPECT_EQ(omnium({"report", "--baseline", old, next}).status, 66);
  EXPECT_EQ(omnium({"report", "--baseline", next, next}).status, 0);
  EXPECT_EQ(omnium({"check", "--baseline", scratch_.path("no.json"), one_}).status, 2);
}

TEST_F(Living, Diff) {
  const std::string a = result("a.json", {one_}), b = result("b.json", {one_, two_});
  const Ran more = omnium({"diff", a, b});
  EXPECT_EQ(more.status, 66);
  EXPECT_NE(more.out.find("\nnew    av-"), std::string::npos);
  EXPECT_TRUE(more.out.ends_with("\n0 fixed, 1 new, 1 unchanged\n")) << more.out;
  const Ran less = omnium({"diff", "-f", "json", b, a});
  EXPECT_EQ(less.status, 0);
  const auto json = nlohmann::json::parse(less.out);
  EXPECT_EQ(json["fixed"][0]["block"], "two");
  EXPECT_EQ(json["same"][0]["block"], "one");
  EXPECT_TRUE(json["new"].empty());
  EXPECT_EQ(omnium({"diff", a, a}).status, 0);
  EXPECT_EQ(omnium({"diff", a}).status, 2);
  EXPECT_EQ(omnium({"diff", a, one_}).status, 2);
  EXPECT_EQ(omnium({"diff", "-f", "svg", a, b}).status, 2);
}

}  // namespace
}  // namespace omnium::test
