// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Does an interleaving violate a transaction of a thread? By definition: an event of the
// transaction depends on an event of another thread that depends on the transaction's first event
// (docs/semantics.md#verdicts). Blocks are cut into parts as everywhere, by event/lowering.h.
//
// Only the end of an interleaving is looked at, so that a search costs what it moves: the part that
// is violated has to begin there.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "event/check_mode.h"
#include "finding/finding.h"

namespace omnium::predict {

struct Judgement {
  BlockRef transaction;  // the block or part that is violated first
  EventIndex sink;       // its event that depends on others
};

class Judge {
 public:
  Judge(std::span<const Event> events, Waits waits) : events_(events), waits_(waits) {}

  // `order`: the end of the interleaving. `open`: labels of the blocks that the thread has open
  // where it begins, outermost first.
  std::optional<Judgement> violated(std::span<const EventIndex> order, ThreadId thread,
                                    std::span<const LabelId> open) const;

 private:
  std::span<const Event> events_;
  Waits waits_;
};

}  // namespace omnium::predict
