// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which events to put into which order so that a suspect transaction is interrupted: leave it
// through one communication node, let another thread run, come back through a later node. That
// orders at most four accesses, which nearly all known bugs need; a detour through one more thread
// orders six.
//
// Accesses that were recorded near the transaction come first: the less has to move, the less gets
// in the way.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "predict/commit_node.h"
#include "predict/event_index.h"

namespace omnium::predict {

class Contacts {
 public:
  Contacts(const EventIndexer& index, const Forest& forest, const InterEdges& edges)
      : index_(index), forest_(forest), edges_(edges) {}

  // Events in the order in which they have to happen; the first and the last are the suspect's.
  using Try = std::function<bool(std::span<const EventIndex> goals)>;
  // Calls `attempt` until it returns true; false if it never does.
  bool for_each(const SuspectUnit& suspect, const Try& attempt) const;

 private:
  // An access of the suspect and one of another thread that conflict.
  struct Contact {
    EventIndex mine;
    EventIndex theirs;
  };
  using ByNode = std::vector<std::vector<Contact>>;  // per communication node
  enum class Next { kAnother, kEnough, kFound };

  ByNode near(const SuspectUnit& suspect) const;
  ByNode by_class(const SuspectUnit& suspect) const;
  const std::vector<std::pair<ClassId, std::size_t>>& classes_of(TreeId tree) const;
  void add(EventIndex mine, const ClassEdge& edge, UnitId other, std::vector<Contact>& out) const;
  template <class Visit>
  void for_each_edge(const SuspectUnit& suspect, Visit&& visit) const;
  template <class Visit>
  bool for_each_pair(const SuspectUnit& suspect, const ByNode& contacts, Visit&& visit) const;
  bool direct(const SuspectUnit& suspect, const ByNode& contacts, const Try& attempt) const;
  bool detours(const SuspectUnit& suspect, const ByNode& contacts, const Try& attempt) const;
  bool detour(const Contact& leave, const Contact& enter, std::size_t& tries,
              const Try& attempt) const;

  const EventIndexer& index_;
  const Forest& forest_;
  const InterEdges& edges_;
  mutable std::unordered_map<std::uint32_t, std::vector<std::pair<ClassId, std::size_t>>>
      classes_of_;  // by tree, as they are needed
};

}  // namespace omnium::predict
