// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From events to access trees: cuts threads into units, drops what nobody else sees, trims
// [Wang, Stoller 7.2] and stores equal trees once.
//
// Different from the paper: a block with a fork or join inside stays one transaction, as in
// `omnium check`; the fork or join is a leaf, and the accesses after it are in a new period.
//
// Locks that are taken before a unit, or kept after it, count as blocks that start with it or end
// with it. Locks that are not released in nested order are reported; their blocks overlap.
#pragma once

#include <span>

#include "event/event.h"
#include "predict/access_tree.h"
#include "predict/shared_objects.h"

namespace omnium::predict {

struct TreeOptions {
  bool trim = true;          // keep two reads and two writes of a variable per parent
  bool merge_copies = true;  // units with equal trees in one period of a thread are one unit
};

Forest build_forest(std::span<const Event> events, const Extent& extent,
                    const SharedObjects& shared, const TreeOptions& options);

}  // namespace omnium::predict
