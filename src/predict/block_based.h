// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The pairwise block-based algorithm [Wang, Stoller 6.2]: view-atomicity of every two transactions.
//
// A block is two accesses of a transaction with the locks that are held from the first to the
// second. Two blocks of concurrent transactions, whose accesses depend on each other pairwise,
// form an unserializable pattern if no lock is held throughout both: then one transaction's access
// can come between the other's. Works on lock sets alone, without the forest's inter-edges, so the
// two algorithms judge each other.
#pragma once

#include <vector>

#include "predict/access_tree.h"
#include "predict/thread_periods.h"

namespace omnium::predict {

struct BlockViolation {
  UnitId unit;
  UnitId partner;
  NodeIndex first, second;  // the block: accesses of unit
};

struct BlockResult {
  std::vector<BlockViolation> violations;  // the first of each transaction, by its begin
  std::uint64_t blocks = 0;                // compared
  bool complete = true;                    // false: `max_work` was not enough
};

// `max_work`: pairs of accesses and of blocks that may be compared.
BlockResult find_block_violations(const Forest& forest, const ThreadPeriods& periods,
                                  std::uint64_t max_work);

}  // namespace omnium::predict
