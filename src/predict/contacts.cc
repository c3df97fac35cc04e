// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/contacts.h"

#include <algorithm>

namespace omnium::predict {

namespace {

constexpr std::size_t kContactsPerNode = 24;
constexpr std::size_t kNearContacts = 4;  // before and after each access
constexpr std::size_t kPairsPerSuspect = 100;
constexpr std::size_t kDetoursPerSuspect = 60;
constexpr std::size_t kAccessesFollowed = 12;
// Pairs of contacts that are looked at for one suspect: one that communicates very often has more
// than anybody wants to wait for.
constexpr std::size_t kPairsLookedAt = 200'000;

}  // namespace

// Calls visit(node, access event, edge, occurrence).
template <class Visit>
void Contacts::for_each_edge(const SuspectUnit& suspect, Visit&& visit) const {
  const Unit& unit = forest_.units[suspect.unit.v];
  const Tree& tree = forest_.tree_of(unit);
  OpenBlocks blocks;
  std::size_t access = 0;
  for (NodeIndex i = 0; i < tree.tokens.size(); ++i) {
    blocks.pass(tree.tokens, i);
    if (!is_access(tree.tokens[i].kind)) continue;
    edges_.for_each_partner(
        suspect.unit, access++, false, [&](const ClassEdge& edge, const Occurrence& there) {
          const NodeIndex token =
              edge.depth == kNoBlock ? i : blocks.open()[static_cast<std::size_t>(edge.depth)];
          const auto node =
              std::ranges::lower_bound(suspect.nodes, token, {}, &CommunicationNode::token);
          return visit(static_cast<std::size_t>(node - suspect.nodes.begin()), unit.events[i], edge,
                       there);
        });
  }
}

Contacts::ByNode Contacts::near(const SuspectUnit& suspect) const {
  ByNode found(suspect.nodes.size());
  EventIndex last = kNoEvent;
  for_each_edge(suspect,
                [&](std::size_t node, EventIndex mine, const ClassEdge&, const Occurrence&) {
                  if (mine == last || found[node].size() >= kContactsPerNode) return false;
                  last = mine;
                  for (const EventIndex theirs : index_.conflicting(mine, kNearContacts)) {
                    found[node].push_back({mine, theirs});
                  }
                  return false;
                });
  return found;
}

void Contacts::add(EventIndex mine, const ClassEdge& edge, UnitId other,
                   std::vector<Contact>& out) const {
  const Unit& there = forest_.units[other.v];
  const auto& accesses = forest_.tree_of(there).accesses;
  const auto& classes = classes_of(there.tree);
  auto at =
      std::ranges::lower_bound(classes, edge.other, {}, &std::pair<ClassId, std::size_t>::first);
  for (; at != classes.end() && at->first == edge.other; ++at) {
    if (out.size() >= kContactsPerNode) return;
    out.push_back({mine, there.events[accesses[at->second].token]});
  }
}

// The accesses of a tree by their class, and in their order within a class.
const std::vector<std::pair<ClassId, std::size_t>>& Contacts::classes_of(TreeId tree) const {
  const auto [entry, is_new] = classes_of_.try_emplace(tree.v);
  if (is_new) {
    const std::size_t count = forest_.trees[tree.v].accesses.size();
    for (std::size_t a = 0; a < count; ++a) {
      entry->second.emplace_back(edges_.classes().of(tree, a), a);
    }
    std::ranges::sort(entry->second);
  }
  return entry->second;
}

Contacts::ByNode Contacts::by_class(const SuspectUnit& suspect) const {
  ByNode found(suspect.nodes.size());
  for_each_edge(suspect, [&](std::size_t node, EventIndex mine, const ClassEdge& edge,
                             const Occurrence& there) {
    add(mine, edge, there.first, found[node]);
    if (there.last != there.first) add(mine, edge, there.last, found[node]);
    return found[node].size() < kContactsPerNode;
  });
  return found;
}

// Calls visit(leave, enter) for contacts of nodes that are apart, until it does not want more.
// True if that was because it has found something.
template <class Visit>
bool Contacts::for_each_pair(const SuspectUnit& suspect, const ByNode& contacts,
                             Visit&& visit) const {
  std::size_t looked_at = 0;
  for (std::size_t a = 0; a < contacts.size(); ++a) {
    if (contacts[a].empty()) continue;
    for (std::size_t b = a + 1; b < contacts.size(); ++b) {
      if (++looked_at > kPairsLookedAt) return false;
      if (suspect.nodes[a].close >= suspect.nodes[b].token) continue;
      looked_at += contacts[a].size() * contacts[b].size();
      for (const Contact& leave : contacts[a]) {
        for (const Contact& enter : contacts[b]) {
          const Next next = visit(leave, enter);
          if (next != Next::kAnother) return next == Next::kFound;
        }
      }
    }
  }
  return false;
}

bool Contacts::direct(const SuspectUnit& suspect, const ByNode& contacts,
                      const Try& attempt) const {
  std::size_t tries = 0;
  return for_each_pair(suspect, contacts, [&](const Contact& leave, const Contact& enter) {
    if (index_.thread_of(leave.theirs) != index_.thread_of(enter.theirs)) return Next::kAnother;
    if (leave.theirs > enter.theirs) return Next::kAnother;
    if (++tries > kPairsPerSuspect) return Next::kEnough;
    std::vector<EventIndex> goals = {leave.mine, leave.theirs, enter.theirs, enter.mine};
    goals.erase(std::unique(goals.begin(), goals.end()), goals.end());
    return attempt(goals) ? Next::kFound : Next::kAnother;
  });
}

// Leaves to one thread and comes back from another: a later access of the first must conflict with
// an earlier one of the second.
bool Contacts::detour(const Contact& leave, const Contact& enter, std::size_t& tries,
                      const Try& attempt) const {
  for (const EventIndex from : index_.from(leave.theirs, kAccessesFollowed)) {
    for (const EventIndex to : index_.conflicting(from, kNearContacts)) {
      if (index_.thread_of(to) != index_.thread_of(enter.theirs) || to > enter.theirs) continue;
      if (++tries > kDetoursPerSuspect) return false;
      std::vector<EventIndex> goals = {leave.mine, leave.theirs, from,
                                       to,         enter.theirs, enter.mine};
      goals.erase(std::unique(goals.begin(), goals.end()), goals.end());
      if (attempt(goals)) return true;
    }
  }
  return false;
}

bool Contacts::detours(const SuspectUnit& suspect, const ByNode& contacts,
                       const Try& attempt) const {
  std::size_t tries = 0;
  return for_each_pair(suspect, contacts, [&](const Contact& leave, const Contact& enter) {
    if (index_.thread_of(leave.theirs) == index_.thread_of(enter.theirs)) return Next::kAnother;
    if (tries > kDetoursPerSuspect) return Next::kEnough;
    return detour(leave, enter, tries, attempt) ? Next::kFound : Next::kAnother;
  });
}

bool Contacts::for_each(const SuspectUnit& suspect, const Try& attempt) const {
  const ByNode nearest = near(suspect);
  if (direct(suspect, nearest, attempt)) return true;
  const ByNode all = by_class(suspect);
  return direct(suspect, all, attempt) || detours(suspect, nearest, attempt) ||
         detours(suspect, all, attempt);
}

}  // namespace omnium::predict
