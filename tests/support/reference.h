// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The slow reference: docs/semantics.md word for word, by definition and without cleverness. Linked
// into tests only; it judges every engine. O(n^3): for traces of up to a few hundred events.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "event/check_mode.h"
#include "event/event.h"
#include "finding/finding.h"

namespace omnium::test {

struct ReferenceVerdict {
  bool serializable = true;
  std::set<BlockRef> violating;                           // transactions with a violation
  std::set<std::pair<EventIndex, EventIndex>> instances;  // (source, sink) of closing dependencies
  std::set<BlockRef> refuted;                             // blocks, nested or not
};

class Reference {
 public:
  // A well-formed trace; inner re-entrant operations as kSkip.
  explicit Reference(std::vector<Event> events, CheckMode mode = kAsPublished);

  const ReferenceVerdict& verdict() const { return verdict_; }
  const std::vector<Event>& events() const { return events_; }
  CheckMode mode() const { return mode_; }

  bool conflict(EventIndex earlier, EventIndex later) const;
  bool chb(EventIndex from, EventIndex to) const { return chb_[from][to]; }
  bool direct_dependency(EventIndex from, EventIndex to) const;
  // The transaction of an event: a block or a part of one; a unary event has no label and is its
  // own begin.
  const BlockRef& transaction(EventIndex event) const { return transaction_[event]; }
  // The event that ends a block, or is the last one of a part; kNoEvent if the trace leaves it
  // open.
  EventIndex end_of(const BlockRef& block) const {
    const auto at = ends_.find(block);
    return at == ends_.end() ? kNoEvent : at->second;
  }
  // Edge of the transaction graph.
  bool edge(const BlockRef& from, const BlockRef& to) const;
  // Has the transaction graph of the first `events` events a cycle?
  bool has_cycle(EventIndex events) const;

 private:
  struct Block : BlockRef {
    EventIndex end;  // exclusive; the end of the trace if the block never closes
  };
  void find_blocks();
  void find_parts();
  bool starts_part(EventIndex event, EventIndex part) const;
  bool came_to_nothing(EventIndex retry, EventIndex part) const;
  void close_chb();
  void judge_blocks();
  bool contains(const Block& block, EventIndex event) const;

  std::vector<Event> events_;
  CheckMode mode_;
  std::vector<BlockRef> transaction_;
  std::vector<EventIndex> part_;  // first event of the part that an event belongs to
  std::vector<Block> blocks_;
  std::map<BlockRef, EventIndex> ends_;
  std::vector<std::vector<bool>> chb_;
  ReferenceVerdict verdict_;
};

}  // namespace omnium::test
