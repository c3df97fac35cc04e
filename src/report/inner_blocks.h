// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Error graphs name the inner method of each operation [Velodrome section 5]: "Vector.contains" of
// a read inside Set.add. Takes one more look at the part of the trace that the graphs are about.
#pragma once

#include "event/source.h"
#include "report/report.h"

namespace omnium::report {

// Sets EventView::inner in the sentences of all pictures. Nothing is set if the trace cannot be
// read again.
void name_inner_blocks(Report& report, EventSource& source);

}  // namespace omnium::report
