// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/access_tree.h"

namespace omnium::predict {

std::uint64_t Forest::nodes() const {
  std::uint64_t count = 0;
  for (const Unit& unit : units) {
    ++count;  // the root
    for (const Token& token : tree_of(unit).tokens) count += token.kind != TokenKind::kClose;
  }
  return count;
}

std::vector<NodeIndex> closing_tokens(std::span<const Token> tokens) {
  std::vector<NodeIndex> closes(tokens.size());
  std::vector<NodeIndex> open;
  for (NodeIndex i = 0; i < tokens.size(); ++i) {
    closes[i] = i;
    if (tokens[i].kind == TokenKind::kBlock) open.push_back(i);
    if (tokens[i].kind == TokenKind::kClose) {
      closes[open.back()] = i;
      open.pop_back();
    }
  }
  return closes;
}

}  // namespace omnium::predict
