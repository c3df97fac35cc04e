// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: looks for a real interleaving behind a warning. The communication nodes say
// what to try: leave the transaction through one node, let the other side run, come back through a
// later node. That orders at most four accesses, which nearly all known bugs need.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "predict/commit_node.h"
#include "predict/scheduler.h"

namespace omnium::predict {

class Confirmer {
 public:
  Confirmer(std::span<const Event> events, const Extent& extent, const Forest& forest,
            const InterEdges& edges)
      : forest_(forest), edges_(edges), scheduler_(events, extent) {}

  // An order of all events that is not serializable, or null. Reduces the budget by what it used.
  const std::vector<EventIndex>* confirm(const SuspectUnit& suspect, std::uint64_t& budget);

  // The other unit that the last success went through.
  UnitId partner() const { return partner_; }

 private:
  // An access of the suspect and one of another unit that depend on each other.
  struct Contact {
    NodeIndex mine;
    UnitId unit;
    NodeIndex theirs;
  };

  std::vector<std::vector<Contact>> contacts(const SuspectUnit& suspect) const;
  void add_contacts(UnitId unit, NodeIndex token, const ClassEdge& edge, UnitId other,
                    std::vector<Contact>& out) const;
  bool try_pair(UnitId unit, const Contact& leave, const Contact& enter, std::uint64_t& budget);
  bool try_order(std::span<const EventIndex> goals, EventIndex prefix, std::uint64_t& budget);

  const Forest& forest_;
  const InterEdges& edges_;
  Scheduler scheduler_;
  UnitId partner_;
};

}  // namespace omnium::predict
