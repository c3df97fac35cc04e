// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From events to access trees: cuts threads into units, drops what nobody else sees, trims
// [Wang, Stoller 7.2] and stores equal trees once.
//
// Different from the paper: a block with a fork or join inside stays one transaction; the fork or
// join is a leaf, and the accesses after it are in a new period.
//
// With --waits split a unit is what one part of a block may be at most: only a `resume` cuts every
// block in every interleaving. Where else parts begin in every interleaving is a token.
//
// Locks that are taken before a unit, or kept after it, count as blocks that start with it or end
// with it. Locks that are not released in nested order are reported; their blocks overlap.
#pragma once

#include "event/check_mode.h"
#include "predict/access_tree.h"
#include "predict/recording.h"
#include "predict/shared_objects.h"

namespace omnium::predict {

struct TreeOptions {
  bool trim = true;          // keep two reads and two writes of a variable per parent
  bool merge_copies = true;  // units with equal trees in one period of a thread are one unit
};

// `atomicity` decides what a read-modify-write is: a write, or a read and a write with nothing in
// between.
Forest build_forest(const Recording& recording, const ThreadPeriods& periods,
                    const SharedObjects& shared, Atomicity atomicity, Waits waits,
                    const TreeOptions& options);

}  // namespace omnium::predict
