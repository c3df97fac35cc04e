// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/object_class.h"

#include <gtest/gtest.h>

namespace omnium {
namespace {

TEST(ObjectClass, DropsWhatTellsObjectsApart) {
  EXPECT_EQ(object_class("account.balance"), "account.balance");
  EXPECT_EQ(object_class("Account::balance #2"), "Account::balance");
  EXPECT_EQ(object_class("hist[41]"), "hist[]");
  EXPECT_EQ(object_class("Order[3].items[12].count #17"), "Order[].items[].count");
  EXPECT_EQ(object_class("matrix[1][2]"), "matrix[][]");
  EXPECT_EQ(object_class("Cache<int, std::less<int> >::hits_"), "Cache::hits_");
  EXPECT_EQ(object_class("int[7] allocated at src/bank.cpp:31 #2"),
            "int[] allocated at src/bank.cpp");
  EXPECT_EQ(object_class("counter in main"), "counter in main");
  EXPECT_EQ(object_class("Entry::hits (in a map) #3"), "Entry::hits (in a map)");
}

TEST(ObjectClass, PartsOfTheLibrarysObjectsBelongToTheWhole) {
  EXPECT_EQ(object_class("Ledger::items_.end"), "Ledger::items_");
  EXPECT_EQ(object_class("Ledger::items_.begin #2"), "Ledger::items_");
  EXPECT_EQ(object_class("Ledger::map_.buckets[3]"), "Ledger::map_");
  EXPECT_EQ(object_class("Ledger::items_[4]"), "Ledger::items_[]");
}

TEST(ObjectClass, LeavesOperatorsAndOddTextAlone) {
  EXPECT_EQ(object_class(""), "");
  EXPECT_EQ(object_class("Key::operator<(x)"), "Key::operator<(x)");
  EXPECT_EQ(object_class("a < b"), "a < b");
  EXPECT_EQ(object_class("broken<int"), "broken<int");
  EXPECT_EQ(object_class("[x] [] # #x :: :x"), "[x] [] # #x :: :x");
  EXPECT_EQ(object_class("[3"), "[3");
}

}  // namespace
}  // namespace omnium
