// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/access_tree.h"

namespace omnium::predict {

std::uint64_t Forest::nodes() const {
  std::uint64_t count = 0;
  for (const Unit& unit : units) {
    ++count;  // the root
    for (const Token& token : tree_of(unit).tokens) {
      count += is_access(token.kind) || token.kind == TokenKind::kBlock ||
               token.kind == TokenKind::kFork || token.kind == TokenKind::kJoin;
    }
  }
  return count;
}

void OpenBlocks::pass(std::span<const Token> tokens, NodeIndex at) {
  if (tokens[at].kind == TokenKind::kBlock) open_.push_back(at);
  if (tokens[at].kind != TokenKind::kClose) return;
  for (std::size_t i = open_.size(); i-- > 0;) {
    if (tokens[open_[i]].object != tokens[at].object) continue;
    closed_ = open_[i];
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

std::vector<NodeIndex> closing_tokens(std::span<const Token> tokens) {
  std::vector<NodeIndex> closes(tokens.size());
  OpenBlocks blocks;
  for (NodeIndex i = 0; i < tokens.size(); ++i) {
    closes[i] = i;
    blocks.pass(tokens, i);
    if (tokens[i].kind == TokenKind::kClose) closes[blocks.closed()] = i;
  }
  return closes;
}

}  // namespace omnium::predict
