// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/communication.h"

#include <algorithm>

#include "support/check.h"

namespace omnium::predict {

template <class OnAccess, class OnThread>
void Communication::walk(UnitId id, OnAccess&& on_access, OnThread&& on_thread) {
  const Unit& unit = forest_.units[id.v];
  const auto& tokens = forest_.tree_of(unit).tokens;
  blocks_.clear();
  std::size_t access = 0;
  for (NodeIndex i = 0; i < tokens.size(); ++i) {
    blocks_.pass(tokens, i);
    switch (tokens[i].kind) {
      case TokenKind::kBlock:
      case TokenKind::kClose: break;
      case TokenKind::kFork:
      case TokenKind::kJoin: on_thread(i, ThreadId{tokens[i].object}); break;
      case TokenKind::kRead:
      case TokenKind::kWrite: on_access(i, access++); break;
    }
  }
}

std::vector<CommunicationNode> Communication::nodes(UnitId id) {
  const Unit& unit = forest_.units[id.v];
  const Tree& tree = forest_.tree_of(unit);
  joined_.assign(tree.tokens.size(), false);
  const auto on_access = [&](NodeIndex token, std::size_t access) {
    const Period period = unit.period + tree.accesses[access].period;
    for (const ClassEdge& edge : edges_.edges(edges_.classes().of(unit.tree, access))) {
      const NodeIndex node =
          edge.depth == kNoBlock ? token : blocks_.open()[static_cast<std::size_t>(edge.depth)];
      if (joined_[node]) continue;
      edges_.for_each_partner(id, period, edge, [&](const ClassEdge&, const Occurrence&) {
        joined_[node] = true;
        return false;
      });
    }
  };
  walk(id, on_access,
       [&](NodeIndex token, ThreadId child) { joined_[token] = forest_.unit_counts[child.v] > 0; });
  const auto closes = closing_tokens(tree.tokens);
  std::vector<CommunicationNode> nodes;
  for (NodeIndex i = 0; i < joined_.size(); ++i) {
    if (!joined_[i]) continue;
    const TokenKind kind = tree.tokens[i].kind;
    nodes.push_back({i, closes[i], kind != TokenKind::kJoin, kind != TokenKind::kFork, {}});
  }
  return nodes;
}

std::vector<std::size_t> Communication::commit_nodes(const std::vector<CommunicationNode>& nodes) {
  std::vector<std::size_t> commits;
  NodeIndex first_close = ~NodeIndex{0};  // of the nodes that start later
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (first_close > nodes[i].close) commits.push_back(i);
    first_close = std::min(first_close, nodes[i].close);
  }
  std::reverse(commits.begin(), commits.end());
  return commits;
}

void Communication::find_partners(UnitId id, std::vector<CommunicationNode>& nodes) {
  const auto find = [&](NodeIndex token) -> CommunicationNode& {
    const auto node = std::lower_bound(
        nodes.begin(), nodes.end(), token,
        [](const CommunicationNode& each, NodeIndex at) { return each.token < at; });
    CHECK(node != nodes.end() && node->token == token);
    return *node;
  };
  const auto on_access = [&](NodeIndex token, std::size_t access) {
    edges_.for_each_partner(id, access, [&](const ClassEdge& edge, const Occurrence& there) {
      auto& partners =
          find(edge.depth == kNoBlock ? token
                                      : blocks_.open()[static_cast<std::size_t>(edge.depth)])
              .partners;
      auto known = std::lower_bound(
          partners.begin(), partners.end(), there.thread,
          [](const ThreadPartners& each, ThreadId thread) { return each.thread < thread; });
      if (known == partners.end() || known->thread != there.thread) {
        partners.insert(known, {there.thread, there.first_position, there.last_position,
                                there.first, there.last});
        return true;
      }
      if (there.first_position < known->first_position) {
        known->first_position = there.first_position;
        known->first = there.first;
      }
      if (there.last_position > known->last_position) {
        known->last_position = there.last_position;
        known->last = there.last;
      }
      return true;
    });
  };
  walk(id, on_access, [&](NodeIndex token, ThreadId child) {
    const Position units = forest_.unit_counts[child.v];
    if (units > 0) find(token).partners.push_back({child, 0, units - 1, {}, {}});
  });
}

}  // namespace omnium::predict
