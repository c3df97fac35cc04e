// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Parts of a trace that are read a second time: the events that were asked for, wherever batches of
// the source begin and end.
#include "finding/excerpt.h"

#include <gtest/gtest.h>

#include "event/memory_trace.h"

namespace omnium::test {
namespace {

// Event i reads variable i, so that it can be told which one came back.
class ExcerptOf : public testing::Test {
 protected:
  static constexpr EventIndex kEvents = 200'000;

  ExcerptOf() {
    trace_.names.threads.intern("T0");
    trace_.names.threads.intern("T1");
    for (std::uint32_t i = 0; i < kEvents; ++i) {
      trace_.events.push_back({Kind::kRead, static_cast<std::uint16_t>(i % 2), i});
    }
  }

  Excerpt read(std::vector<EventRange> ranges) {
    MemorySource source(trace_);
    auto excerpt = Excerpt::read(source, std::move(ranges));
    EXPECT_TRUE(excerpt);
    return std::move(*excerpt);
  }

  static void expect_exactly(const Excerpt& excerpt, EventRange range) {
    for (EventIndex i = range.first; i < range.last; ++i) {
      ASSERT_NE(excerpt.find(i), nullptr) << i;
      ASSERT_EQ(excerpt.find(i)->object, i);
    }
    if (range.first > 0) {
      EXPECT_EQ(excerpt.find(range.first - 1), nullptr);
    }
    EXPECT_EQ(excerpt.find(range.last), nullptr);
    EXPECT_TRUE(excerpt.covers(range));
    EXPECT_FALSE(excerpt.covers({range.first, range.last + 1}));
  }

  MemoryTrace trace_;
};

TEST_F(ExcerptOf, WhatWasAskedFor) {
  // Close to each other, so that reading goes on; far from each other, so that it seeks; around the
  // borders of batches.
  const std::vector<EventRange> ranges = {
      {3, 10}, {2'000, 2'100}, {4'095, 4'097}, {100'000, 100'001}, {199'990, kEvents}};
  const Excerpt excerpt = read(ranges);
  for (const EventRange& range : ranges) expect_exactly(excerpt, range);
}

TEST_F(ExcerptOf, RangesThatTouchOrOverlapAreOnePiece) {
  const Excerpt excerpt = read({{50, 60}, {10, 20}, {20, 30}, {25, 40}});
  expect_exactly(excerpt, {10, 40});
  expect_exactly(excerpt, {50, 60});
  EXPECT_EQ(excerpt.known_since(35), 10u);
  EXPECT_EQ(excerpt.known_since(45), 45u);
}

TEST_F(ExcerptOf, VisitsTheEventsOfAThreadInOrder) {
  std::vector<EventIndex> seen;
  read({{10, 14}, {20, 23}}).visit_thread(ThreadId{1}, {11, 22}, [&](EventIndex i, const Event&) {
    seen.push_back(i);
  });
  EXPECT_EQ(seen, (std::vector<EventIndex>{11, 13, 21}));
}

TEST_F(ExcerptOf, EmptyRangesAreCoveredAndHoldNothing) {
  const Excerpt excerpt = read({{7, 7}});
  EXPECT_EQ(excerpt.find(7), nullptr);
  EXPECT_TRUE(excerpt.covers({7, 7}));
}

}  // namespace
}  // namespace omnium::test
