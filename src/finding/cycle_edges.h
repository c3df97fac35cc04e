// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A cycle of transactions without a violating one: which events make its edges.
#pragma once

#include "event/source.h"
#include "finding/explanation.h"
#include "finding/finding.h"

namespace omnium {

// Reads the part of the trace that holds the transactions, up to the event that closed the cycle,
// and finds for each of them an event that conflicts with one of the next. Edges that lie too far
// apart to be found make the picture empty.
Result<Picture> draw_cycle(EventSource& source, const Cycle& cycle);

}  // namespace omnium
