// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/block_based.h"

#include <algorithm>
#include <unordered_map>

namespace omnium::predict {

namespace {

// No lock of the one keeps away who holds the other.
bool disjoint(std::span<const HeldLock> a, std::span<const HeldLock> b) {
  return std::none_of(a.begin(), a.end(), [&](HeldLock lock) {
    return std::any_of(b.begin(), b.end(), [&](HeldLock other) { return exclude(lock, other); });
  });
}

// One unit's accesses with the ends of the blocks around them.
class UnitView {
 public:
  UnitView(const Forest& forest, UnitId unit_id)
      : id(unit_id),
        unit(forest.units[unit_id.v]),
        tree(forest.tree_of(unit)),
        paths_(forest.paths) {
    const auto closes = closing_tokens(tree.tokens);
    OpenBlocks blocks;
    for (NodeIndex i = 0; i < tree.tokens.size(); ++i) {
      const TokenKind kind = tree.tokens[i].kind;
      blocks.pass(tree.tokens, i);
      if (!is_access(kind)) continue;
      ends_.emplace_back();
      for (const NodeIndex block : blocks.open()) ends_.back().push_back(closes[block]);
    }
  }

  const Access& access(std::size_t a) const { return tree.accesses[a]; }
  std::size_t size() const { return tree.accesses.size(); }
  std::span<const HeldLock> held(std::size_t a) const { return paths_.locks(access(a).path); }

  // Locks held from the one access to the other.
  std::vector<HeldLock> held_throughout(std::size_t a, std::size_t b) const {
    const auto [first, last] = std::minmax(a, b);
    std::vector<HeldLock> locks;
    for (std::size_t i = 0; i < ends_[first].size(); ++i) {
      if (ends_[first][i] > access(last).token) locks.push_back(held(first)[i]);
    }
    return locks;
  }

  // Can the read see a write that is done under `locks`?
  bool can_see(std::size_t read, std::span<const HeldLock> locks) const {
    for (std::size_t w = 0; w < read; ++w) {
      if (access(w).write && access(w).variable == access(read).variable &&
          !disjoint(held_throughout(w, read), locks)) {
        return false;
      }
    }
    return true;
  }

  // Does some read of this unit see its own write unless one under `locks` comes between?
  bool own_read_can_see(std::size_t write, std::span<const HeldLock> locks) const {
    for (std::size_t r = write + 1; r < size(); ++r) {
      if (!access(r).write && access(r).own_write == write && can_see(r, locks)) return true;
    }
    return false;
  }

  UnitId id;
  const Unit& unit;
  const Tree& tree;

 private:
  const LockPaths& paths_;
  std::vector<std::vector<NodeIndex>> ends_;  // per access: where the blocks around it end
};

// Does the order of the two accesses matter to anybody who looks at these two units only?
bool depend(const UnitView& t, std::size_t e, const UnitView& u, std::size_t f) {
  const Access& a = t.access(e);
  const Access& b = u.access(f);
  if (a.variable != b.variable || (!a.write && !b.write)) return false;
  if (!a.write) return t.can_see(e, u.held(f));
  if (!b.write) return u.can_see(f, t.held(e));
  return (a.unit_final && b.unit_final) || t.own_read_can_see(e, u.held(f)) ||
         u.own_read_can_see(f, t.held(e));
}

class PairChecker {
 public:
  PairChecker(const Forest& forest, const ThreadPeriods& periods, std::uint64_t max_work)
      : forest_(forest), periods_(periods), max_work_(max_work), found_(forest.units.size()) {}

  BlockResult run() && {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_variable;
    for (std::uint32_t u = 0; u < forest_.units.size(); ++u) {
      for (const Access& access : forest_.tree_of(forest_.units[u]).accesses) {
        auto& units = by_variable[access.variable.v];
        if (units.empty() || units.back() != u) units.push_back(u);
      }
    }
    std::vector<std::uint32_t> compared_with(forest_.units.size(), ~std::uint32_t{0});
    for (std::uint32_t u = 0; u < forest_.units.size() && result_.complete; ++u) {
      if (!forest_.units[u].transaction) continue;
      const UnitView mine(forest_, UnitId{u});
      for (const Access& access : mine.tree.accesses) {
        for (const std::uint32_t other : by_variable[access.variable.v]) {
          if (compared_with[other] == u || other == u) continue;
          compared_with[other] = u;
          // Two transactions are compared once; with events outside from the transaction's side.
          const Unit& theirs = forest_.units[other];
          if (theirs.thread() == mine.unit.thread() || (other < u && theirs.transaction)) continue;
          if (found_[u] && (found_[other] || !theirs.transaction)) continue;
          if (result_.complete) compare(mine, UnitView(forest_, UnitId{other}));
        }
      }
    }
    std::sort(result_.violations.begin(), result_.violations.end(),
              [&](const BlockViolation& a, const BlockViolation& b) {
                return forest_.units[a.unit.v].block.begin < forest_.units[b.unit.v].block.begin;
              });
    return std::move(result_);
  }

 private:
  using Pair = std::pair<std::size_t, std::size_t>;

  bool spend(std::uint64_t work) {
    result_.complete = work <= max_work_;
    max_work_ -= result_.complete ? work : 0;
    return result_.complete;
  }

  void compare(const UnitView& t, const UnitView& u) {
    if (!spend(t.size() * u.size())) return;
    std::vector<Pair> pairs;
    for (std::size_t e = 0; e < t.size(); ++e) {
      for (std::size_t f = 0; f < u.size(); ++f) {
        if (depend(t, e, u, f) &&
            periods_.concurrent(t.unit.thread(), t.unit.period + t.access(e).period,
                                u.unit.thread(), u.unit.period + u.access(f).period)) {
          pairs.emplace_back(e, f);
        }
      }
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (std::size_t j = i + 1; j < pairs.size(); ++j) {
        if (!spend(1)) return;
        ++result_.blocks;
        match(t, u, pairs[i], pairs[j]);
      }
    }
  }

  void match(const UnitView& t, const UnitView& u, const Pair& p, const Pair& q) {
    const auto mine = t.held_throughout(p.first, q.first);
    const auto theirs = u.held_throughout(p.second, q.second);
    if (!disjoint(mine, theirs)) return;
    const bool t_split =
        p.first != q.first && disjoint(mine, u.held(p.second)) && disjoint(mine, u.held(q.second));
    const bool u_split = p.second != q.second && disjoint(theirs, t.held(p.first)) &&
                         disjoint(theirs, t.held(q.first));
    if (t_split || !u_split) report(t, u, p.first, q.first);
    if (u_split || !t_split) report(u, t, p.second, q.second);
  }

  // The block of t from its access `first` to its access `second` can be interrupted by u.
  void report(const UnitView& t, const UnitView& u, std::size_t first, std::size_t second) {
    if (!t.unit.transaction || found_[t.id.v]) return;
    found_[t.id.v] = true;
    result_.violations.push_back({t.id, u.id, t.access(first).token, t.access(second).token});
  }

  const Forest& forest_;
  const ThreadPeriods& periods_;
  std::uint64_t max_work_;
  std::vector<bool> found_;
  BlockResult result_;
};

}  // namespace

BlockResult find_block_violations(const Forest& forest, const ThreadPeriods& periods,
                                  std::uint64_t max_work) {
  return PairChecker(forest, periods, max_work).run();
}

}  // namespace omnium::predict
