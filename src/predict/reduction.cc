// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/reduction.h"

#include <algorithm>
#include <optional>

namespace omnium::predict {

namespace {

// Locks whose blocks all lie inside blocks of one other lock.
std::vector<bool> protected_locks(const Forest& forest) {
  struct Lock {
    bool seen = false;
    std::vector<std::uint32_t> guards;
  };
  std::vector<Lock> locks;
  for (const Tree& tree : forest.trees) {
    std::vector<std::uint32_t> open;
    for (const Token& token : tree.tokens) {
      if (token.kind == TokenKind::kClose) {
        open.erase(std::find(open.begin(), open.end(), token.object));
      }
      if (token.kind != TokenKind::kBlock) continue;
      const LockId id = lock_of({token.object});
      if (locks.size() <= id.v) locks.resize(id.v + 1);
      Lock& lock = locks[id.v];
      if (!lock.seen) {
        lock.seen = true;
        lock.guards = open;
      } else {
        std::erase_if(lock.guards, [&](std::uint32_t guard) {
          return std::find(open.begin(), open.end(), guard) == open.end();
        });
      }
      std::erase_if(lock.guards, [](std::uint32_t guard) { return is_shared({guard}); });
      open.push_back(token.object);
    }
  }
  std::vector<bool> result;
  for (const Lock& lock : locks) result.push_back(!lock.guards.empty());
  return result;
}

class Reducer {
 public:
  Reducer(const Forest& forest, const Races& races)
      : forest_(forest), races_(races), protected_(protected_locks(forest)) {}

  std::optional<IrreducibleUnit> check(UnitId id) const {
    const auto& tokens = forest_.tree_of(forest_.units[id.v]).tokens;
    std::optional<NodeIndex> committed;
    std::size_t access = 0;
    for (NodeIndex i = 0; i < tokens.size(); ++i) {
      bool right = false, left = false;  // neither: moves both ways
      switch (tokens[i].kind) {
        case TokenKind::kBlock: right = !protected_[lock_of({tokens[i].object}).v]; break;
        case TokenKind::kClose: left = !protected_[lock_of({tokens[i].object}).v]; break;
        case TokenKind::kJoin:
        case TokenKind::kAwait: right = true; break;
        case TokenKind::kFork:
        case TokenKind::kSignal: left = true; break;
        case TokenKind::kCut: committed.reset(); break;
        case TokenKind::kPeriod:
        case TokenKind::kAttempt: break;
        case TokenKind::kRead:
        case TokenKind::kAtomicRead:
        case TokenKind::kWrite: right = left = !races_.race_free(id, access++); break;
      }
      if (right && committed) return IrreducibleUnit{id, *committed, i};
      if (left && !committed) committed = i;
    }
    return std::nullopt;
  }

 private:
  const Forest& forest_;
  const Races& races_;
  std::vector<bool> protected_;
};

}  // namespace

std::vector<IrreducibleUnit> find_irreducible(const Forest& forest, const Races& races) {
  const Reducer reducer(forest, races);
  std::vector<IrreducibleUnit> found;
  for (std::uint32_t u = 0; u < forest.units.size(); ++u) {
    if (!forest.units[u].transaction) continue;
    if (const auto irreducible = reducer.check(UnitId{u})) found.push_back(*irreducible);
  }
  std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return forest.units[a.unit.v].block.begin < forest.units[b.unit.v].block.begin;
  });
  return found;
}

}  // namespace omnium::predict
