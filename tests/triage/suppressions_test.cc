// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "triage/suppressions.h"

#include <gtest/gtest.h>

namespace omnium::test {
namespace {

using triage::Suppression;
using triage::Suppressions;

report::Cause cause(std::string id, std::string_view block, std::string_view object) {
  report::Cause out;
  out.id = std::move(id);
  out.block.label = block;
  out.objects = {object};
  out.count = 3;
  return out;
}

TEST(Suppressions, MatchIdBlockOrObject) {
  auto read = Suppressions::parse(
      "# known\n"
      "\n"
      "suppress av-00000001 because of that\r\n"
      "  suppress block Account::move(int, int)* because it is, because it was\n"
      "suppress object stats.* because #12\n"
      "suppress id av-9* because nobody minds\n",
      "known.supp");
  ASSERT_TRUE(read) << read.error().to_string();
  const auto reason = [&](const report::Cause& it) {
    const Suppression* match = read->match(it);
    return match == nullptr ? "none" : match->reason;
  };
  EXPECT_EQ(reason(cause("av-00000001", "f", "x")), "of that");
  EXPECT_EQ(reason(cause("av-00000002", "Account::move(int, int) const", "x")),
            "it is, because it was");
  EXPECT_EQ(reason(cause("av-00000002", "move(int, int)", "x")), "none");
  EXPECT_EQ(reason(cause("av-00000002", "f", "stats.hits")), "#12");
  EXPECT_EQ(reason(cause("av-90000002", "f", "stats.hits")), "#12");  // the first one that matches
  const auto all = read->all();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].causes, 1u);
  EXPECT_EQ(all[2].causes, 2u);
  EXPECT_EQ(all[2].violations, 6u);
  EXPECT_EQ(all[3].causes, 1u);  // not stale: it matches, too
  EXPECT_EQ(all[1].at.line, 4u);
  EXPECT_EQ(to_string(all[1]), "suppress block Account::move(int, int)*");
  EXPECT_EQ(to_string(all[3]), "suppress av-9*");
}

TEST(Suppressions, AnEventOutsideAnyBlockHasNoBlock) {
  auto read = Suppressions::parse("suppress block * because of that\n", "known.supp");
  ASSERT_TRUE(read);
  report::Cause outside = cause("av-00000001", "", "x");
  outside.block.label.reset();
  EXPECT_EQ(read->match(outside), nullptr);
}

TEST(Suppressions, ABlockIsEachFunctionOfTheCause) {
  auto read = Suppressions::parse("suppress block Log::* because of that\n", "known.supp");
  ASSERT_TRUE(read);
  report::Cause counters = cause("av-00000001", "Log::put", "stats.bytes");
  counters.other_functions = {"Log::cut"};
  EXPECT_NE(read->match(counters), nullptr);
  counters.other_functions = {"Log::cut", "send"};
  EXPECT_EQ(read->match(counters), nullptr);
}

TEST(Suppressions, WrongLinesHaveAPlace) {
  for (const std::string line :
       {"av-00000001", "suppress av-00000001", "suppress because of that", "suppress av-1 because",
        "suppress av-1 because  ", "suppress block because of that", "ignore av-1 because of that",
        "suppressav-1 because of that"}) {
    const auto read = Suppressions::parse("\n" + line + "\n", "known.supp");
    ASSERT_FALSE(read) << line;
    EXPECT_TRUE(read.error().to_string().starts_with(
        "known.supp:2:1: error: expected 'suppress [block|object] GLOB because REASON', got '"))
        << read.error().to_string();
  }
}

}  // namespace
}  // namespace omnium::test
