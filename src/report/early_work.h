// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What other threads did before they met a block, moved to before the block: an interleaving in
// which they come between its events only with what matters. It is as good as the one that was
// found: every read sees the same write, every lock still has one holder, and only complete
// critical sections change their place.
#pragma once

#include <span>
#include <vector>

#include "event/event.h"

namespace omnium::report {

struct EarlyWork {
  std::vector<EventIndex> before;  // the block begins
  std::vector<EventIndex> after;   // the block itself, and what stays
};

// May a new part of a block begin at such an event (docs/semantics.md#transactions)?
constexpr bool may_start_part(Kind kind) {
  return kind == Kind::kResume || kind == Kind::kAwait || kind == Kind::kJoin ||
         kind == Kind::kRetry;
}

// `order` starts with the block's begin and consists of indices into `events`. `open` are the
// acquires, among others, that are not undone where it starts. Nothing moves that could change
// where blocks are cut into parts.
EarlyWork early_work(std::span<const Event> events, std::span<const EventIndex> order,
                     std::span<const EventIndex> open, std::size_t threads);

}  // namespace omnium::report
