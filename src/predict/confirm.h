// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: looks for a real interleaving behind a warning. The communication nodes say
// what to try: leave the transaction through one node, let the other side run, come back through a
// later node. That orders at most four accesses, which nearly all known bugs need; a detour through
// one more thread orders six.
//
// Accesses that were recorded near the transaction are tried first: the less has to move, the less
// gets in the way.
#pragma once

#include <span>
#include <vector>

#include "predict/commit_node.h"
#include "predict/event_index.h"
#include "predict/scheduler.h"

namespace omnium::predict {

class Confirmer {
 public:
  Confirmer(std::span<const Event> events, const Extent& extent, const Forest& forest,
            const InterEdges& edges)
      : events_(events),
        forest_(forest),
        edges_(edges),
        index_(events, extent),
        scheduler_(events, extent) {}

  // An order of all events that is not serializable, or null. Reduces the budget by what it used.
  const std::vector<EventIndex>* confirm(const SuspectUnit& suspect, std::uint64_t& budget);

  // The unit that the last success left to.
  const BlockRef& partner() const { return partner_; }

 private:
  // An access of the suspect and one of another thread that conflict.
  struct Contact {
    EventIndex mine;
    EventIndex theirs;
  };
  using Contacts = std::vector<std::vector<Contact>>;  // per communication node

  Contacts near_contacts(const SuspectUnit& suspect) const;
  Contacts class_contacts(const SuspectUnit& suspect) const;
  void add_contacts(EventIndex mine, const ClassEdge& edge, UnitId other,
                    std::vector<Contact>& out) const;
  template <class Visit>
  void for_each_contact(const SuspectUnit& suspect, Visit&& visit) const;
  bool try_all(const SuspectUnit& suspect, const Contacts& contacts, std::uint64_t& budget);
  bool try_chains(const SuspectUnit& suspect, const Contacts& contacts, std::uint64_t& budget);
  bool try_chain(const Contact& leave, const Contact& enter, std::size_t& tries,
                 std::uint64_t& budget);
  template <class Try>
  bool for_each_pair(const SuspectUnit& suspect, const Contacts& contacts, Try&& attempt) const;
  bool try_pair(const Contact& leave, const Contact& enter, std::uint64_t& budget);
  bool try_order(std::span<const EventIndex> goals, std::uint64_t& budget);

  std::span<const Event> events_;
  const Forest& forest_;
  const InterEdges& edges_;
  EventIndexer index_;
  Scheduler scheduler_;
  BlockRef partner_;
};

}  // namespace omnium::predict
