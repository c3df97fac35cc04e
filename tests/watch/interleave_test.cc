// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One order of what several threads remember: by their stamps, and as the steps of the finding have
// it. And which accesses meet.
#include "watch/interleave.h"

#include <gtest/gtest.h>

#include "watch/step_order.h"

namespace omnium::watch {
namespace {

constexpr std::uint64_t kX = 0x10000;

class Interleave : public testing::Test {
 protected:
  Interleave() { histories_.threads.resize(2); }

  ItemIndex add(std::uint32_t thread, Kind kind, std::uint64_t stamp) {
    Item item{kind, Matter::kMemory, 8, false, thread, kX};
    item.stamp = stamp;
    histories_.items.push_back(item);
    const auto index = static_cast<ItemIndex>(histories_.items.size() - 1);
    histories_.threads[thread].push_back(index);
    return index;
  }
  std::optional<std::vector<ItemIndex>> order() const {
    return interleave(histories_, std::vector<wire::Thread>(2));
  }

  Histories histories_;
};

TEST_F(Interleave, ABeginWithoutAStampComesRightBeforeWhatFollowsIt) {
  add(0, Kind::kWrite, 1);
  add(0, Kind::kBegin, 0);
  add(0, Kind::kWrite, 3);
  add(1, Kind::kWrite, 2);
  EXPECT_EQ(order(), (std::vector<ItemIndex>{0, 3, 1, 2}));
}

TEST_F(Interleave, StepsDecideWhereThereAreNoStamps) {
  const ItemIndex source = add(1, Kind::kWrite, 0), sink = add(0, Kind::kRead, 0);
  histories_.order.emplace_back(source, sink);
  EXPECT_EQ(order(), (std::vector<ItemIndex>{source, sink}));
}

// Then less is told, but nothing that is not so.
TEST_F(Interleave, StampsThatContradictTheStepsGiveNoOrder) {
  const ItemIndex source = add(0, Kind::kRead, 3), sink = add(1, Kind::kWrite, 1);
  EXPECT_EQ(order(), (std::vector<ItemIndex>{sink, source}));
  histories_.order.emplace_back(source, sink);
  EXPECT_EQ(order(), std::nullopt);
}

TEST_F(Interleave, StepsThatContradictEachOtherGiveNoOrder) {
  const ItemIndex one = add(0, Kind::kRead, 0), other = add(1, Kind::kWrite, 0);
  histories_.order = {{one, other}, {other, one}};
  EXPECT_EQ(order(), std::nullopt);
}

// Nothing is left of the second thread but the ends of the steps. It held the locks as well.
TEST_F(Interleave, WhatHasNoStampComesOutsideOfCriticalSections) {
  const ItemIndex outer = add(0, Kind::kAcquire, 1);
  const ItemIndex lock = add(0, Kind::kAcquire, 2), write = add(0, Kind::kWrite, 3);
  const ItemIndex unlock = add(0, Kind::kRelease, 4);
  const ItemIndex again = add(0, Kind::kAcquire, 5), read = add(0, Kind::kRead, 6);
  histories_.items[outer].object = kX + 1;
  for (const ItemIndex index : {lock, unlock, again}) histories_.items[index].object = kX + 2;
  const ItemIndex sink = add(1, Kind::kRead, 0), source = add(1, Kind::kWrite, 0);
  histories_.order = {{write, sink}, {source, read}};
  histories_.closing = read;
  EXPECT_EQ(order(),
            (std::vector<ItemIndex>{outer, lock, write, unlock, sink, source, again, read}));
}

TEST_F(Interleave, StampsDecideWhatIsInACriticalSection) {
  const ItemIndex lock = add(0, Kind::kAcquire, 1), write = add(0, Kind::kWrite, 2);
  const ItemIndex unlock = add(0, Kind::kRelease, 5);
  const ItemIndex read = add(1, Kind::kRead, 3), later = add(1, Kind::kWrite, 4);
  histories_.order = {{write, read}};
  EXPECT_EQ(order(), (std::vector<ItemIndex>{lock, write, read, later, unlock}));
}

TEST_F(Interleave, AStepInsideACriticalSectionStaysThere) {
  const ItemIndex lock = add(0, Kind::kAcquire, 1), write = add(0, Kind::kWrite, 2);
  const ItemIndex read = add(0, Kind::kRead, 3), unlock = add(0, Kind::kRelease, 4);
  const ItemIndex sink = add(1, Kind::kRead, 0), source = add(1, Kind::kWrite, 0);
  histories_.order = {{write, sink}, {source, read}};
  histories_.closing = read;
  EXPECT_EQ(order(), (std::vector<ItemIndex>{lock, write, sink, source, read, unlock}));
}

TEST_F(Interleave, StepsTellWhatCameBeforeAndAfterTheirEnds) {
  const ItemIndex early = add(0, Kind::kRead, 0), write = add(0, Kind::kWrite, 0);
  const ItemIndex between = add(0, Kind::kWrite, 0), read = add(0, Kind::kRead, 0);
  const ItemIndex late = add(0, Kind::kWrite, 0);
  const ItemIndex sink = add(1, Kind::kWrite, 0), source = add(1, Kind::kWrite, 0);
  histories_.order = {{write, sink}, {source, read}};
  histories_.closing = read;
  StepOrder steps(histories_);
  const auto tells = [&](ItemIndex item, ItemIndex end) {
    return steps.tells(histories_.items[item], histories_.items[end]);
  };
  EXPECT_TRUE(tells(early, sink) && tells(early, source));
  EXPECT_TRUE(tells(late, sink) && tells(late, source));
  EXPECT_FALSE(tells(between, sink) || tells(between, source));
}

TEST(Overlap, NeighboursDoNotMeet) {
  const auto item = [](std::uint64_t object, std::uint8_t size) {
    return Item{Kind::kRead, Matter::kMemory, size, false, 0, object};
  };
  for (const auto& [a, b, meet] :
       {std::tuple(item(kX, 4), item(kX + 4, 4), false),
        std::tuple(item(kX, 4), item(kX + 3, 1), true),
        std::tuple(item(kX, 8), item(kX + 2, 2), true), std::tuple(item(kX, 0), item(kX, 0), true),
        std::tuple(item(kX, 0), item(kX + 1, 4), false)}) {
    EXPECT_EQ(overlap(a, b), meet) << a.object << " " << b.object;
    EXPECT_EQ(overlap(b, a), meet) << b.object << " " << a.object;
  }
}

}  // namespace
}  // namespace omnium::watch
