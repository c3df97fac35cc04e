// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/confirm.h"

#include <algorithm>
#include <array>

namespace omnium::predict {

namespace {

constexpr std::size_t kContactsPerNode = 24;
constexpr std::size_t kNearContacts = 4;  // before and after each access
constexpr std::size_t kPairsPerSuspect = 100;
constexpr std::size_t kChainsPerSuspect = 60;
constexpr std::size_t kAccessesFollowed = 12;

}  // namespace

// Calls visit(node, access event, edge, occurrence).
template <class Visit>
void Confirmer::for_each_contact(const SuspectUnit& suspect, Visit&& visit) const {
  const Unit& unit = forest_.units[suspect.unit.v];
  const Tree& tree = forest_.tree_of(unit);
  OpenBlocks blocks;
  std::size_t access = 0;
  for (NodeIndex i = 0; i < tree.tokens.size(); ++i) {
    const TokenKind kind = tree.tokens[i].kind;
    blocks.pass(tree.tokens, i);
    if (kind != TokenKind::kRead && kind != TokenKind::kWrite) continue;
    edges_.for_each_partner(
        suspect.unit, access++, [&](const ClassEdge& edge, const Occurrence& there) {
          const NodeIndex token =
              edge.depth == kNoBlock ? i : blocks.open()[static_cast<std::size_t>(edge.depth)];
          const auto node = std::lower_bound(
              suspect.nodes.begin(), suspect.nodes.end(), token,
              [](const CommunicationNode& each, NodeIndex at) { return each.token < at; });
          return visit(static_cast<std::size_t>(node - suspect.nodes.begin()), unit.events[i], edge,
                       there);
        });
  }
}

Confirmer::Contacts Confirmer::near_contacts(const SuspectUnit& suspect) const {
  Contacts found(suspect.nodes.size());
  EventIndex last = kNoEvent;
  for_each_contact(suspect,
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

void Confirmer::add_contacts(EventIndex mine, const ClassEdge& edge, UnitId other,
                             std::vector<Contact>& out) const {
  const Unit& there = forest_.units[other.v];
  const auto& accesses = forest_.tree_of(there).accesses;
  for (std::size_t a = 0; a < accesses.size() && out.size() < kContactsPerNode; ++a) {
    if (edges_.classes().of(there.tree, a) != edge.other) continue;
    out.push_back({mine, there.events[accesses[a].token]});
  }
}

Confirmer::Contacts Confirmer::class_contacts(const SuspectUnit& suspect) const {
  Contacts found(suspect.nodes.size());
  for_each_contact(suspect, [&](std::size_t node, EventIndex mine, const ClassEdge& edge,
                                const Occurrence& there) {
    add_contacts(mine, edge, there.first, found[node]);
    if (there.last != there.first) add_contacts(mine, edge, there.last, found[node]);
    return found[node].size() < kContactsPerNode;
  });
  return found;
}

bool Confirmer::try_order(std::span<const EventIndex> goals, std::uint64_t& budget) {
  const EventIndex nearest = *std::min_element(goals.begin(), goals.end());
  for (const EventIndex prefix : {nearest, EventIndex{0}}) {
    for (const bool early : {false, true}) {
      if (scheduler_.realize(goals, prefix, early, budget)) return true;
    }
    if (nearest == 0) break;
  }
  return false;
}

// leave.mine before leave.theirs, enter.theirs before enter.mine: in every order of the four.
bool Confirmer::try_pair(const Contact& leave, const Contact& enter, std::uint64_t& budget) {
  const EventIndex out = leave.mine, in = enter.mine;
  const EventIndex theirs = leave.theirs, back = enter.theirs;
  partner_ = index_.block_of(theirs);
  const bool same_unit = partner_ == index_.block_of(back);
  if (theirs == back) return try_order(std::array{out, theirs, in}, budget);
  if (theirs < back) {
    if (try_order(std::array{out, theirs, back, in}, budget)) return true;
    // The other way round: the suspect runs between the two, which closes a cycle in one unit only.
    return same_unit && try_order(std::array{theirs, out, in, back}, budget);
  }
  if (!same_unit) return false;  // program order is against it
  return try_order(std::array{out, back, theirs, in}, budget) ||
         try_order(std::array{back, out, theirs, in}, budget) ||
         try_order(std::array{out, back, in, theirs}, budget) ||
         try_order(std::array{back, out, in, theirs}, budget);
}

// Calls attempt(leave, enter) for contacts of nodes that are apart, until it succeeds.
template <class Try>
bool Confirmer::for_each_pair(const SuspectUnit& suspect, const Contacts& contacts,
                              Try&& attempt) const {
  for (std::size_t a = 0; a < contacts.size(); ++a) {
    for (std::size_t b = a + 1; b < contacts.size(); ++b) {
      if (suspect.nodes[a].close >= suspect.nodes[b].token) continue;
      for (const Contact& leave : contacts[a]) {
        for (const Contact& enter : contacts[b]) {
          if (attempt(leave, enter)) return true;
        }
      }
    }
  }
  return false;
}

bool Confirmer::try_all(const SuspectUnit& suspect, const Contacts& contacts,
                        std::uint64_t& budget) {
  std::size_t tries = 0;
  return for_each_pair(suspect, contacts, [&](const Contact& leave, const Contact& enter) {
    if (events_[leave.theirs].thread_id != events_[enter.theirs].thread_id) return false;
    return budget > 0 && ++tries <= kPairsPerSuspect && try_pair(leave, enter, budget);
  });
}

// Leaves to one thread and comes back from another: a later access of the first must conflict with
// an earlier one of the second.
bool Confirmer::try_chain(const Contact& leave, const Contact& enter, std::size_t& tries,
                          std::uint64_t& budget) {
  partner_ = index_.block_of(leave.theirs);
  for (const EventIndex from : index_.from(leave.theirs, kAccessesFollowed)) {
    for (const EventIndex to : index_.conflicting(from, kNearContacts)) {
      if (events_[to].thread_id != events_[enter.theirs].thread_id || to > enter.theirs) continue;
      if (budget == 0 || ++tries > kChainsPerSuspect) return false;
      std::vector<EventIndex> goals = {leave.mine, leave.theirs, from,
                                       to,         enter.theirs, enter.mine};
      goals.erase(std::unique(goals.begin(), goals.end()), goals.end());
      if (try_order(goals, budget)) return true;
    }
  }
  return false;
}

bool Confirmer::try_chains(const SuspectUnit& suspect, const Contacts& contacts,
                           std::uint64_t& budget) {
  std::size_t tries = 0;
  return for_each_pair(suspect, contacts, [&](const Contact& leave, const Contact& enter) {
    if (events_[leave.theirs].thread_id == events_[enter.theirs].thread_id) return false;
    return budget > 0 && tries <= kChainsPerSuspect && try_chain(leave, enter, tries, budget);
  });
}

const std::vector<EventIndex>* Confirmer::confirm(const SuspectUnit& suspect,
                                                  std::uint64_t& budget) {
  const Contacts near = near_contacts(suspect);
  const Contacts by_class = class_contacts(suspect);
  const bool found = try_all(suspect, near, budget) || try_all(suspect, by_class, budget) ||
                     try_chains(suspect, near, budget) || try_chains(suspect, by_class, budget);
  return found ? &scheduler_.order() : nullptr;
}

}  // namespace omnium::predict
