// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Access trees [Wang, Stoller 3.1]: what a unit does, without what nobody else can see. Leaves are
// accesses (and forks, joins, signals, awaits), inner nodes are blocks of one lock, the root is the
// unit.
//
// A tree is its tokens in order, a block from its kBlock to its kClose:
//   acq(l) r(x) acq(m) w(y) rel(m) rel(l)   =   [l r(x) [m w(y) ] ]
// A node is named by its first token. Equal trees are stored once.
//
// Different from the paper: blocks need not be nested. [l [m ] ] may close l first; a node is then
// an interval of the unit that overlaps with another one. The algorithms only ask whether two nodes
// are apart (docs/algorithms/commit-node.md#intervals).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "finding/finding.h"
#include "predict/lock_paths.h"
#include "predict/thread_periods.h"

namespace omnium::predict {

enum class TokenKind : std::uint32_t {
  kRead,
  kAtomicRead,  // an atomic load or a failed attempt
  kWrite,
  kBlock,
  kClose,
  kFork,
  kJoin,
  kSignal,   // comes before the awaits of its channel
  kAwait,    // comes after the signals of its channel
  kPeriod,   // a new period of the thread begins; object: the access before it learned something
  kCut,      // a new part of the block begins, in every interleaving
  kAttempt,  // a new part begins if nobody noticed anything but attempts on the variable
};
constexpr bool is_access(TokenKind kind) {
  return kind == TokenKind::kRead || kind == TokenKind::kAtomicRead || kind == TokenKind::kWrite;
}

struct Token {
  TokenKind kind;
  std::uint32_t object;  // variable, held lock (also of kClose), thread, channel
  friend bool operator==(const Token&, const Token&) = default;
};
static_assert(sizeof(Token) == 8);

enum class Atomicity { kConflict, kView };

using TreeId = Id<struct TreeTag>;
using UnitId = Id<struct UnitTag>;
using NodeIndex = std::uint32_t;  // token of a tree
using Position = std::uint32_t;   // of a unit in its thread, counting all units
inline constexpr std::uint32_t kNoAccess = ~std::uint32_t{0};

struct Access {
  NodeIndex token;
  VarId variable;
  PathId path;        // held(e)
  Period period = 0;  // counted from the unit's first
  bool write = false;
  bool attempt = false;  // an atomic load or a failed attempt
  bool learns = false;   // what comes behind it is in a new period, and so is it unless it is last
  bool unit_final = false;              // the unit's last write to the variable
  std::uint32_t own_write = kNoAccess;  // read: the unit's write before it, as access of the tree
  std::uint32_t enclosed =
      0;  // read: how many blocks around it, outermost first, have a write before it
};

struct Tree {
  std::vector<Token> tokens;
  std::vector<Access> accesses;  // in order
};

// A transaction, or an event outside any block. Units of one thread and period with equal trees
// and labels are one unit with several copies: others cannot tell them apart.
struct Unit {
  TreeId tree;
  BlockRef block;  // of the first copy; label none outside blocks
  bool transaction = false;
  EventIndex end = kNoEvent;    // kNoEvent: the block never closed
  Period period = 0;            // at its begin
  Position first_position = 0;  // of the first copy
  Position last_position = 0;   // of the last copy
  std::uint64_t copies = 1;
  std::vector<EventIndex> events;  // of the first copy, one per token

  ThreadId thread() const { return block.thread; }
};

// Fork and join as order between units.
struct ThreadLink {
  ThreadId parent;
  Position position;
  ThreadId child;
  bool fork;
};

// The units of a thread that signal a channel, or await it.
struct ChannelUse {
  ThreadId thread;
  Position first;
  Position last;
};
struct Channel {
  std::vector<ChannelUse> signallers;
  std::vector<ChannelUse> awaiters;
};

struct UnnestedLock {
  BlockRef block;
  LockId lock;
  EventIndex release;
};

struct Forest {
  std::vector<Tree> trees;
  std::vector<Unit> units;
  std::vector<Position> unit_counts;  // per thread, units without accesses included
  std::vector<ThreadLink> links;
  std::vector<Channel> channels;
  std::uint32_t signals = 0;           // channels below are signals, the others waits
  std::vector<UnnestedLock> unnested;  // the first lock of each unit that was not nested
  bool outside_lock_free = true;
  std::uint64_t transactions = 0;
  std::uint64_t open_blocks = 0;  // where the trace stops
  LockPaths paths;

  const Tree& tree_of(const Unit& unit) const { return trees[unit.tree.v]; }
  std::uint64_t nodes() const;
};

// The blocks that are open at some token, in the order in which they were opened.
class OpenBlocks {
 public:
  // Keeps up with the next token.
  void pass(std::span<const Token> tokens, NodeIndex at);
  void clear() { open_.clear(); }
  const std::vector<NodeIndex>& open() const { return open_; }
  // The block that the last kClose closed.
  NodeIndex closed() const { return closed_; }

 private:
  std::vector<NodeIndex> open_;
  NodeIndex closed_ = 0;
};

// For every kBlock its kClose; for a leaf itself.
std::vector<NodeIndex> closing_tokens(std::span<const Token> tokens);

}  // namespace omnium::predict
