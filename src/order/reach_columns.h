// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The vector loops of the reach engine: up to 64 rows of one column at a time, rows as bits of a
// mask. There are two versions, of which one is chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace omnium {

using ReachTime = std::int64_t;  // an event index, or kNever
inline constexpr ReachTime kNever = INT64_MAX;

// Columns are padded with kNever to a multiple of this many rows.
inline constexpr std::size_t kReachRowsStep = 8;
inline constexpr std::size_t kReachRowsPerMask = 64;

namespace reach_columns {

// Rows r < rows (at most 64, a multiple of kReachRowsStep) with from[r] <= time and to[r] > bound.
std::uint64_t select(const ReachTime* from, ReachTime time, const ReachTime* to, ReachTime bound,
                     std::size_t rows);

// Lowers column[r] to `value` for the selected rows where it is larger; returns those that were
// kNever.
std::uint64_t lower(ReachTime* column, std::uint64_t selected, ReachTime value, std::size_t rows);

// The smallest of column[0 .. rows), any multiple of kReachRowsStep.
ReachTime minimum(const ReachTime* column, std::size_t rows);

}  // namespace reach_columns
}  // namespace omnium
