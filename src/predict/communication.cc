// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/communication.h"

#include <algorithm>

#include "support/check.h"

namespace omnium::predict {

namespace {

ThreadPartner& partner_of(CommunicationNode& node, ThreadId thread) {
  auto& partners = node.partners;
  const auto known = std::ranges::lower_bound(partners, thread, {}, &ThreadPartner::thread);
  if (known != partners.end() && known->thread == thread) return *known;
  return *partners.insert(
      known, ThreadPartner{thread, ThreadPartner::kNever, ThreadPartner::kNever, {}, {}});
}

void leave(ThreadPartner& partner, Position to, UnitId unit) {
  if (to >= partner.leave_to) return;
  partner.leave_to = to;
  partner.first = unit;
}

void enter(ThreadPartner& partner, Position from, UnitId unit) {
  if (partner.can_enter() && from <= partner.enter_from) return;
  partner.enter_from = from;
  partner.last = unit;
}

}  // namespace

bool CommunicationNode::can_leave() const {
  return std::ranges::any_of(partners, &ThreadPartner::can_leave);
}

template <class OnAccess, class OnLeaf>
void Communication::walk(UnitId id, OnAccess&& on_access, OnLeaf&& on_leaf) {
  const Unit& unit = forest_.units[id.v];
  const auto& tokens = forest_.tree_of(unit).tokens;
  blocks_.clear();
  std::size_t access = 0;
  for (NodeIndex i = 0; i < tokens.size(); ++i) {
    blocks_.pass(tokens, i);
    switch (tokens[i].kind) {
      case TokenKind::kRead:
      case TokenKind::kAtomicRead:
      case TokenKind::kWrite: on_access(i, access++); break;
      case TokenKind::kFork:
      case TokenKind::kJoin:
      case TokenKind::kSignal:
      case TokenKind::kAwait: on_leaf(i); break;
      default: break;
    }
  }
}

bool Communication::joins(const Unit& unit, const Token& leaf) const {
  const auto by_others = [&](const std::vector<ChannelUse>& uses) {
    return std::ranges::any_of(uses,
                               [&](const ChannelUse& use) { return use.thread != unit.thread(); });
  };
  switch (leaf.kind) {
    case TokenKind::kSignal: return by_others(forest_.channels[leaf.object].awaiters);
    case TokenKind::kAwait: return by_others(forest_.channels[leaf.object].signallers);
    default: return forest_.unit_counts[leaf.object] > 0;
  }
}

std::vector<CommunicationNode> Communication::nodes(UnitId id) {
  const Unit& unit = forest_.units[id.v];
  const Tree& tree = forest_.tree_of(unit);
  joined_.assign(tree.tokens.size(), false);
  noticed_.assign(tree.tokens.size(), false);
  const auto on_access = [&](NodeIndex token, std::size_t access) {
    const Period period = unit.period + tree.accesses[access].period;
    for (const ClassEdge& edge : edges_.edges(edges_.classes().of(unit.tree, access))) {
      const NodeIndex node =
          edge.depth == kNoBlock ? token : blocks_.open()[static_cast<std::size_t>(edge.depth)];
      if (joined_[node] && noticed_[token]) continue;
      edges_.for_each_partner(unit.thread(), period, period, edge,
                              [&](const ClassEdge&, const Occurrence&) {
                                joined_[node] = noticed_[token] = true;
                                return false;
                              });
    }
  };
  walk(id, on_access, [&](NodeIndex token) {
    joined_[token] = noticed_[token] = joins(unit, tree.tokens[token]);
  });
  const auto closes = closing_tokens(tree.tokens);
  std::vector<CommunicationNode> nodes;
  for (NodeIndex i = 0; i < joined_.size(); ++i) {
    if (joined_[i]) nodes.push_back({i, closes[i], {}});
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

// With --waits split nothing is entered through a join or an await: either all of that is over when
// the part begins, or the part begins there (docs/algorithms/prediction.md#waiting).
void Communication::add_leaf_partners(const Unit& unit, const Token& leaf,
                                      CommunicationNode& node) const {
  if (leaf.kind == TokenKind::kFork || leaf.kind == TokenKind::kJoin) {
    const Position units = forest_.unit_counts[leaf.object];
    if (units == 0) return;
    ThreadPartner& partner = partner_of(node, {leaf.object});
    if (leaf.kind == TokenKind::kFork) leave(partner, 0, {});
    if (leaf.kind == TokenKind::kJoin && !splits_) enter(partner, units - 1, {});
    return;
  }
  const Channel& channel = forest_.channels[leaf.object];
  if (leaf.kind == TokenKind::kSignal) {
    for (const ChannelUse& use : channel.awaiters) {
      if (use.thread != unit.thread()) leave(partner_of(node, use.thread), use.first, {});
    }
    return;
  }
  if (splits_ && leaf.object < forest_.signals) return;
  for (const ChannelUse& use : channel.signallers) {
    if (use.thread != unit.thread()) enter(partner_of(node, use.thread), use.last, {});
  }
}

void Communication::find_partners(UnitId id, std::vector<CommunicationNode>& nodes) {
  const Unit& unit = forest_.units[id.v];
  const auto find = [&](NodeIndex token) -> CommunicationNode& {
    const auto node = std::ranges::lower_bound(nodes, token, {}, &CommunicationNode::token);
    CHECK(node != nodes.end() && node->token == token);
    return *node;
  };
  NodeIndex known_token = ~NodeIndex{0};
  CommunicationNode* known = nullptr;  // the node of that token: often asked for again
  const auto node_of = [&](const ClassEdge& edge, NodeIndex access) -> CommunicationNode& {
    const NodeIndex token =
        edge.depth == kNoBlock ? access : blocks_.open()[static_cast<std::size_t>(edge.depth)];
    if (token != known_token) known = &find(token);
    known_token = token;
    return *known;
  };
  const auto on_access = [&](NodeIndex token, std::size_t access) {
    const bool learns = forest_.tree_of(unit).accesses[access].learns;
    edges_.for_each_partner(id, access, false, [&](const ClassEdge& edge, const Occurrence& there) {
      ThreadPartner& partner = partner_of(node_of(edge, token), there.thread);
      if (!learns) leave(partner, there.first_position, there.first);
      enter(partner, there.last_position, there.last);
      return true;
    });
    if (!learns) return;
    edges_.for_each_partner(id, access, true, [&](const ClassEdge& edge, const Occurrence& there) {
      leave(partner_of(node_of(edge, token), there.thread), there.first_position, there.first);
      return true;
    });
  };
  walk(id, on_access, [&](NodeIndex token) {
    const Token& leaf = forest_.tree_of(unit).tokens[token];
    if (joins(unit, leaf)) add_leaf_partners(unit, leaf, find(token));
  });
}

std::vector<NodeIndex> Communication::cuts(UnitId id) const {
  const auto& tokens = forest_.tree_of(forest_.units[id.v]).tokens;
  std::vector<NodeIndex> cuts;
  bool noticed = false;                        // more than attempts on one variable
  std::uint32_t attempts = VarId::kNoneValue;  // that variable
  for (NodeIndex i = 0; i < tokens.size(); ++i) {
    const bool unnoticed =
        !noticed && (attempts == VarId::kNoneValue || attempts == tokens[i].object);
    if (tokens[i].kind == TokenKind::kCut || (tokens[i].kind == TokenKind::kAttempt && unnoticed)) {
      cuts.push_back(i);
      noticed = false;
      attempts = VarId::kNoneValue;
    }
    if (!noticed_[i]) continue;
    if (tokens[i].kind == TokenKind::kAtomicRead && unnoticed) {
      attempts = tokens[i].object;
    } else {
      noticed = true;
    }
  }
  return cuts;
}

}  // namespace omnium::predict
