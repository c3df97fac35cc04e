// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The small parts of sentences, and the parts of places.
#include "report/words.h"

#include <gtest/gtest.h>

#include "report/location.h"

namespace omnium::test {
namespace {

using report::listed;
using report::parse_location;
using report::relative_to;

TEST(Words, ListsNameFiveThings) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b"}), "a and b");
  EXPECT_EQ(listed({"a", "b", "c", "d", "e"}), "a, b, c, d and e");
  EXPECT_EQ(listed({"a", "b", "c", "d", "e", "f"}), "a, b, c, d and 2 more");
  EXPECT_EQ(listed(std::vector<std::string>(20, "x")), "x, x, x, x and 16 more");
}

TEST(Words, CountsHaveCommasAndPlurals) {
  EXPECT_EQ(report::count_of(0, "finding"), "0 findings");
  EXPECT_EQ(report::count_of(1, "finding"), "1 finding");
  EXPECT_EQ(report::count_of(999, "event"), "999 events");
  EXPECT_EQ(report::count_of(1'000, "event"), "1,000 events");
  EXPECT_EQ(report::count_of(1'234'567, "event"), "1,234,567 events");
}

TEST(Locations, HaveAFileALineAndPerhapsAColumn) {
  const auto parts = [](std::string_view text) {
    const auto [file, line, column] = parse_location(text);
    return std::tuple(std::string(file), line, column);
  };
  EXPECT_EQ(parts("bank.cpp:44:3"), std::tuple("bank.cpp", 44u, 3u));
  EXPECT_EQ(parts("bank.cpp:44"), std::tuple("bank.cpp", 44u, 0u));
  EXPECT_EQ(parts("c:\\bank.cpp:44"), std::tuple("c:\\bank.cpp", 44u, 0u));
  EXPECT_EQ(parts("bank.cpp"), std::tuple("", 0u, 0u));
  EXPECT_EQ(parts("bank.cpp:"), std::tuple("", 0u, 0u));
  EXPECT_EQ(parts("bank.cpp:0"), std::tuple("", 0u, 0u));
  EXPECT_EQ(parts("bank+0x1f0"), std::tuple("", 0u, 0u));
}

TEST(Locations, AreRelativeToTheRootOnlyBelowIt) {
  EXPECT_EQ(relative_to("/home/dev/bank", "/home/dev/bank/src/a.cpp"), "src/a.cpp");
  EXPECT_EQ(relative_to("/home/dev/bank/", "/home/dev/bank/src/a.cpp"), "src/a.cpp");
  EXPECT_EQ(relative_to("/home/dev/bank", "/home/dev/bank2/a.cpp"), "/home/dev/bank2/a.cpp");
  EXPECT_EQ(relative_to("/home/dev/bank", "/usr/include/a.h"), "/usr/include/a.h");
  EXPECT_EQ(relative_to("", "/home/dev/bank/a.cpp"), "/home/dev/bank/a.cpp");
  EXPECT_EQ(relative_to("/home/dev/bank", "src/a.cpp"), "src/a.cpp");
}

}  // namespace
}  // namespace omnium::test
