// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "symbols/allocation.h"

#include <gtest/gtest.h>

namespace omnium::test {
namespace {

TEST(AllocationName, HasItsArticleAndItsPlace) {
  EXPECT_EQ(symbols::allocation_name(64, "bank.cpp:31"), "a 64-byte allocation at bank.cpp:31");
  EXPECT_EQ(symbols::allocation_name(624, ""), "a 624-byte allocation");
  for (const std::uint64_t bytes : {8, 11, 18, 80, 800, 8000, 11000, 18000}) {
    EXPECT_TRUE(symbols::allocation_name(bytes, "").starts_with("an ")) << bytes;
  }
  for (const std::uint64_t bytes : {1, 10, 110, 118, 180, 1100, 1800, 110000}) {
    EXPECT_TRUE(symbols::allocation_name(bytes, "").starts_with("a ")) << bytes;
  }
}

}  // namespace
}  // namespace omnium::test
