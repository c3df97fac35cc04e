// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/confirm.h"

#include <algorithm>

namespace omnium::predict {

namespace {

constexpr std::size_t kContactsPerNode = 24;
constexpr std::size_t kPairsPerSuspect = 200;

}  // namespace

void Confirmer::add_contacts(UnitId unit, NodeIndex token, const ClassEdge& edge, UnitId other,
                             std::vector<Contact>& out) const {
  const Unit& there = forest_.units[other.v];
  const auto& accesses = forest_.tree_of(there).accesses;
  for (std::size_t a = 0; a < accesses.size() && out.size() < kContactsPerNode; ++a) {
    if (edges_.classes().of(there.tree, a) != edge.other || other == unit) continue;
    out.push_back({token, other, accesses[a].token});
  }
}

// Per communication node.
std::vector<std::vector<Confirmer::Contact>> Confirmer::contacts(const SuspectUnit& suspect) const {
  const Unit& unit = forest_.units[suspect.unit.v];
  const Tree& tree = forest_.tree_of(unit);
  std::vector<std::vector<Contact>> found(suspect.nodes.size());
  std::vector<NodeIndex> open;
  std::size_t access = 0;
  for (NodeIndex i = 0; i < tree.tokens.size(); ++i) {
    const TokenKind kind = tree.tokens[i].kind;
    if (kind == TokenKind::kBlock) open.push_back(i);
    if (kind == TokenKind::kClose) open.pop_back();
    if (kind != TokenKind::kRead && kind != TokenKind::kWrite) continue;
    edges_.for_each_partner(
        suspect.unit, access++, [&](const ClassEdge& edge, const Occurrence& there) {
          const NodeIndex token =
              edge.depth == kNoBlock ? i : open[static_cast<std::size_t>(edge.depth)];
          const auto node = std::lower_bound(
              suspect.nodes.begin(), suspect.nodes.end(), token,
              [](const CommunicationNode& each, NodeIndex at) { return each.token < at; });
          auto& out = found[static_cast<std::size_t>(node - suspect.nodes.begin())];
          add_contacts(suspect.unit, i, edge, there.first, out);
          if (there.last != there.first) add_contacts(suspect.unit, i, edge, there.last, out);
          return true;
        });
  }
  return found;
}

bool Confirmer::try_order(std::span<const EventIndex> goals, EventIndex prefix,
                          std::uint64_t& budget) {
  for (const EventIndex start : {prefix, EventIndex{0}}) {
    for (const bool early : {false, true}) {
      if (scheduler_.realize(goals, start, early, budget)) return true;
    }
    if (prefix == 0) break;
  }
  return false;
}

// leave.mine before leave.theirs, enter.theirs before enter.mine: in every order of the four.
bool Confirmer::try_pair(UnitId id, const Contact& leave, const Contact& enter,
                         std::uint64_t& budget) {
  const Unit& unit = forest_.units[id.v];
  const Unit& first = forest_.units[leave.unit.v];
  const Unit& second = forest_.units[enter.unit.v];
  const EventIndex out = unit.events[leave.mine], in = unit.events[enter.mine];
  const EventIndex theirs = first.events[leave.theirs], back = second.events[enter.theirs];
  const EventIndex prefix = std::min({unit.block.begin, first.block.begin, second.block.begin});
  partner_ = leave.unit;
  if (theirs == back) return try_order(std::array{out, theirs, in}, prefix, budget);
  if (theirs < back) {
    if (try_order(std::array{out, theirs, back, in}, prefix, budget)) return true;
    // The other way round: the suspect runs between the two, which closes a cycle in one unit only.
    return leave.unit == enter.unit && try_order(std::array{theirs, out, in, back}, prefix, budget);
  }
  if (leave.unit != enter.unit) return false;  // program order is against it
  return try_order(std::array{out, back, theirs, in}, prefix, budget) ||
         try_order(std::array{back, out, theirs, in}, prefix, budget) ||
         try_order(std::array{out, back, in, theirs}, prefix, budget) ||
         try_order(std::array{back, out, in, theirs}, prefix, budget);
}

const std::vector<EventIndex>* Confirmer::confirm(const SuspectUnit& suspect,
                                                  std::uint64_t& budget) {
  const auto found = contacts(suspect);
  std::size_t tried = 0;
  // One other unit for both ways first; then two units of one thread.
  for (const bool same_unit : {true, false}) {
    for (std::size_t a = 0; a < found.size(); ++a) {
      for (std::size_t b = a + 1; b < found.size(); ++b) {
        if (suspect.nodes[a].close >= suspect.nodes[b].token) continue;
        for (const Contact& leave : found[a]) {
          for (const Contact& enter : found[b]) {
            const bool one = leave.unit == enter.unit;
            if (one != same_unit ||
                forest_.units[leave.unit.v].thread() != forest_.units[enter.unit.v].thread()) {
              continue;
            }
            if (budget == 0 || ++tried > kPairsPerSuspect) return nullptr;
            if (try_pair(suspect.unit, leave, enter, budget)) return &scheduler_.order();
          }
        }
      }
    }
  }
  return nullptr;
}

}  // namespace omnium::predict
