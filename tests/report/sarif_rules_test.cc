// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Every pattern is a rule, and what its page says of it exists.
#include "report/sarif_rules.h"

#include <set>

#include <gtest/gtest.h>

#include "finding/pattern.h"
#include "tests/support/subprocess.h"

namespace omnium::test {
namespace {

constexpr std::string_view kHomepage = "https://docs.invalid/omnium";

TEST(SarifRules, EveryPatternHasOne) {
  const std::string page = read_whole(OMNIUM_SOURCE_DIR "/docs/formats/patterns.md");
  std::set<std::string> sentences;
  for (int i = 0; i <= static_cast<int>(PatternName::kCycle); ++i) {
    const std::string pattern = to_string(Pattern{static_cast<PatternName>(i), 3});
    const std::string id = report::rule_of_pattern(pattern);
    const auto rule = report::sarif_rule(id, kHomepage);
    EXPECT_EQ(rule["id"], id);
    const std::string sentence = rule["fullDescription"]["text"];
    EXPECT_TRUE(sentence.ends_with('.')) << sentence;
    EXPECT_TRUE(sentences.insert(sentence).second) << id << " has the words of another rule";
    const bool named = id != "cycle" && id != "atomicity-violation";
    EXPECT_TRUE(!named || page.find("**" + pattern + "**") != std::string::npos) << pattern;
  }
}

TEST(SarifRules, EveryFailureHasOne) {
  const std::string page = read_whole(OMNIUM_SOURCE_DIR "/docs/formats/patterns.md");
  EXPECT_NE(page.find("\n## Failures of the program\n"), std::string::npos);
  std::set<std::string> sentences;
  for (const std::string pattern : {"crash", "failed assertion", "exit status", "deadlock", "hang",
                                    "use after free", "double free"}) {
    const auto rule = report::sarif_rule(report::rule_of_pattern(pattern), kHomepage);
    EXPECT_TRUE(sentences.insert(rule["fullDescription"]["text"]).second) << pattern;
    EXPECT_EQ(rule["shortDescription"]["text"], "The program fails: " + pattern + ".");
    EXPECT_TRUE(std::string(rule["helpUri"]).ends_with("#failures-of-the-program")) << pattern;
    EXPECT_NE(page.find("**" + pattern + "**"), std::string::npos) << pattern;
  }
}

TEST(SarifRules, LinksLeadToThePage) {
  for (const char* id :
       {"lost-update", "read-skew", "cycle", "not-serializable", "from-elsewhere"}) {
    const auto rule = report::sarif_rule(id, kHomepage);
    const std::string link = rule["helpUri"];
    EXPECT_TRUE(link.starts_with("https://docs.invalid/omnium/docs/formats/patterns.md#")) << link;
    EXPECT_NE(std::string(rule["help"]["markdown"]).find(link), std::string::npos);
    EXPECT_NE(std::string(rule["help"]["text"]).find(link), std::string::npos);
  }
  // Nobody has said where the documentation is: then there is no link, but still help.
  const auto rule = report::sarif_rule("lost-update", "");
  EXPECT_FALSE(rule.contains("helpUri"));
  EXPECT_NE(std::string(rule["help"]["text"]).find("docs/formats/patterns.md#one-variable-x"),
            std::string::npos);
}

TEST(SarifRules, NamesAreCamelCase) {
  EXPECT_EQ(report::sarif_rule("broken-hand-over", "")["name"], "BrokenHandOver");
}

}  // namespace
}  // namespace omnium::test
