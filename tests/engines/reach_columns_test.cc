// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The vector loops against their definitions, on random columns.
#include "order/reach_columns.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "workload/dice.h"

namespace omnium::test {
namespace {

// Few different times, so that equal ones are common.
std::vector<ReachTime> random_column(workload::Dice& dice, std::size_t rows) {
  std::vector<ReachTime> column(rows);
  for (ReachTime& time : column) time = dice.percent(30) ? kNever : dice.below(8);
  return column;
}

TEST(ReachColumns, DoWhatTheySay) {
  workload::Dice dice(1);
  for (int round = 0; round < 2'000; ++round) {
    const std::size_t rows = kReachRowsStep * (1 + dice.below(8));
    const auto from = random_column(dice, rows);
    auto to = random_column(dice, rows);
    const ReachTime time = dice.below(8);
    const ReachTime bound = dice.percent(20) ? kNever - 1 : dice.below(8);
    const std::uint64_t selected = reach_columns::select(from.data(), time, to.data(), bound, rows);
    for (std::size_t r = 0; r < kReachRowsPerMask; ++r) {
      const bool wanted = r < rows && from[r] <= time && to[r] > bound;
      ASSERT_EQ(selected >> r & 1, wanted) << r;
    }
    const auto before = to;
    const std::uint64_t chosen = dice.next() & (~std::uint64_t{0} >> (64 - rows));
    const ReachTime value = dice.below(8);
    const std::uint64_t were_never = reach_columns::lower(to.data(), chosen, value, rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const bool lowered = (chosen >> r & 1) != 0 && before[r] > value;
      ASSERT_EQ(to[r], lowered ? value : before[r]) << r;
      ASSERT_EQ(were_never >> r & 1, lowered && before[r] == kNever) << r;
    }
    ASSERT_EQ(reach_columns::minimum(to.data(), rows), std::ranges::min(to));
  }
}

}  // namespace
}  // namespace omnium::test
