// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/conflict_graph.h"

#include <utility>

namespace omnium {

void ConflictGraph::on_finish() {
  auto found = graph_.find_cycle();
  if (!found) return;
  Cycle cycle;
  cycle.closed_at = found->closed_at;
  cycle.transactions = std::move(found->transactions);
  sink().not_serializable(std::move(cycle));
}

}  // namespace omnium
