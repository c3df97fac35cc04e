// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/tree_builder.h"

#include <algorithm>
#include <unordered_map>

#include <xxhash.h>

#include "event/dispatch.h"

namespace omnium::predict {

namespace {

struct RawToken {
  Token token;
  EventIndex event;
};

struct ThreadState {
  std::vector<LockId> held;  // in the order in which they were taken
  std::uint32_t depth = 0;   // of open atomic blocks
  Period period = 0;
  Position position = 0;  // of the unit that is open or comes next
  // Of the open transaction:
  BlockRef block;
  Period first_period = 0;
  std::vector<RawToken> raw;
  std::vector<std::size_t> open;  // blocks of `raw`
  bool unnested = false;
};

// Keeps the tokens that matter: no empty blocks, no repeated accesses.
class Trimmer {
 public:
  explicit Trimmer(bool trim) : trim_(trim) {}

  void run(std::span<const RawToken> raw) {
    tokens.clear();
    events.clear();
    frames_.clear();
    seen_.clear();
    segment_ = 0;
    leaves_ = 0;
    frames_.push_back({kRoot, 0, 0, next_serial_++, 0});
    // Not in the paper: the last write of a variable stays, for its locks matter to view-atomicity.
    last_write_.clear();
    for (const RawToken& each : raw) {
      if (each.token.kind == TokenKind::kWrite) last_write_[each.token.object] = each.event;
    }
    for (const RawToken& each : raw) add(each);
  }

  std::vector<Token> tokens;
  std::vector<EventIndex> events;

 private:
  static constexpr std::size_t kRoot = ~std::size_t{0};
  struct Frame {
    std::size_t token;  // of the block
    std::uint32_t lock;
    std::uint64_t leaves;  // before it
    std::uint32_t serial;  // names the parent of an access, per stretch without fork and join
    std::uint32_t segment;
  };

  void add(const RawToken& each) {
    switch (each.token.kind) {
      case TokenKind::kBlock: return open(each);
      case TokenKind::kClose: return close(each);
      case TokenKind::kFork:
      case TokenKind::kJoin:
        ++segment_;
        ++leaves_;
        return push(each);
      default:
        if (trim_ && !first_two(each.token) && !is_last_write(each)) return;
        ++leaves_;
        push(each);
    }
  }
  void push(const RawToken& each) {
    tokens.push_back(each.token);
    events.push_back(each.event);
  }
  void open(const RawToken& each) {
    frames_.push_back({tokens.size(), each.token.object, leaves_, next_serial_++, segment_});
    push(each);
  }
  void close(const RawToken& each) {
    const auto frame = std::find_if(frames_.rbegin(), frames_.rend(), [&](const Frame& open) {
      return open.token != kRoot && open.lock == each.token.object;
    });
    const std::size_t token = frame->token;
    const bool empty = frame->leaves == leaves_;
    const bool nested = frame == frames_.rbegin();
    frames_.erase(std::next(frame).base());
    if (!nested) frames_.back().serial = next_serial_++;  // other locks are held from here on
    if (!empty) return push(each);
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(token));
    events.erase(events.begin() + static_cast<std::ptrdiff_t>(token));
    for (Frame& other : frames_) other.token -= other.token != kRoot && other.token > token;
  }
  bool is_last_write(const RawToken& each) const {
    if (each.token.kind != TokenKind::kWrite) return false;
    return last_write_.find(each.token.object)->second == each.event;
  }
  bool first_two(Token token) {
    Frame& frame = frames_.back();
    if (frame.segment != segment_) {
      frame.segment = segment_;
      frame.serial = next_serial_++;
    }
    auto& count = seen_[std::uint64_t{frame.serial} << 32 | token.object];
    std::uint8_t& mine = token.kind == TokenKind::kRead ? count.first : count.second;
    if (mine == 2) return false;
    ++mine;
    return true;
  }

  bool trim_;
  std::uint32_t segment_ = 0;  // counts forks and joins
  std::uint64_t leaves_ = 0;
  std::uint32_t next_serial_ = 0;
  std::vector<Frame> frames_;
  std::unordered_map<std::uint32_t, EventIndex> last_write_;  // per variable
  std::unordered_map<std::uint64_t, std::pair<std::uint8_t, std::uint8_t>> seen_;
};

class TreeBuilder {
 public:
  TreeBuilder(const Extent& extent, const SharedObjects& shared, const TreeOptions& options)
      : shared_(shared), options_(options), trimmer_(options.trim), threads_(extent.threads) {
    for (std::uint32_t t = 0; t < extent.threads; ++t) threads_[t].block.thread = {t};
    forest_.unit_counts.resize(extent.threads, 0);
  }

  Forest run(std::span<const Event> events) && {
    for (now_ = 0; now_ < events.size(); ++now_) dispatch(*this, events[now_]);
    for (ThreadState& thread : threads_) {
      if (thread.depth > 0) close_transaction(thread, kNoEvent);
    }
    for (std::size_t t = 0; t < threads_.size(); ++t) forest_.unit_counts[t] = threads_[t].position;
    order_through_idle_threads();
    return std::move(forest_);
  }

  void on_read(ThreadId t, VarId x) { access(threads_[t.v], {TokenKind::kRead, x.v}); }
  void on_write(ThreadId t, VarId x) { access(threads_[t.v], {TokenKind::kWrite, x.v}); }
  void on_acquire(ThreadId t, LockId m);
  void on_release(ThreadId t, LockId m);
  void on_begin(ThreadId t, LabelId label);
  void on_end(ThreadId t);
  void on_fork(ThreadId t, ThreadId child) { thread_event(t, child, true); }
  void on_join(ThreadId t, ThreadId child) { thread_event(t, child, false); }

 private:
  void access(ThreadState& thread, Token token);
  void thread_event(ThreadId t, ThreadId child, bool fork);
  void order_through_idle_threads();
  void open_held(ThreadState& thread);
  void close_open(ThreadState& thread, EventIndex at);
  void close_transaction(ThreadState& thread, EventIndex end);
  void store(ThreadState& thread, bool transaction, EventIndex end);
  TreeId intern_tree();
  void find_accesses(Tree& tree);

  const SharedObjects& shared_;
  TreeOptions options_;
  Trimmer trimmer_;
  std::vector<ThreadState> threads_;
  Forest forest_;
  std::unordered_multimap<std::uint64_t, TreeId> trees_;
  std::unordered_multimap<std::uint64_t, UnitId> units_;
  EventIndex now_ = 0;
};

// A thread that did nothing still orders its fork before its join, if those are in two threads: as
// if it had one unit.
void TreeBuilder::order_through_idle_threads() {
  std::vector<ThreadId> parent(threads_.size());
  for (const ThreadLink& link : forest_.links) {
    if (link.fork) parent[link.child.v] = link.parent;
  }
  for (const ThreadLink& link : forest_.links) {
    const ThreadId forked_by = parent[link.child.v];
    if (link.fork || forked_by.is_none() || forked_by == link.parent) continue;
    forest_.unit_counts[link.child.v] = std::max<Position>(1, forest_.unit_counts[link.child.v]);
  }
}

// The locks that are held when a unit starts are blocks around all of it.
void TreeBuilder::open_held(ThreadState& thread) {
  thread.raw.clear();
  thread.open.clear();
  for (const LockId lock : thread.held) {
    if (!shared_.lock(lock)) continue;
    thread.open.push_back(thread.raw.size());
    thread.raw.push_back({{TokenKind::kBlock, lock.v}, now_});
  }
}

void TreeBuilder::close_open(ThreadState& thread, EventIndex at) {
  for (; !thread.open.empty(); thread.open.pop_back()) {
    thread.raw.push_back({{TokenKind::kClose, thread.raw[thread.open.back()].token.object}, at});
  }
}

void TreeBuilder::access(ThreadState& thread, Token token) {
  const bool shared = shared_.variable({token.object});
  if (thread.depth > 0) {
    if (shared) thread.raw.push_back({token, now_});
    return;
  }
  if (shared) {
    thread.block.label = LabelId::none();
    thread.block.begin = now_;
    thread.first_period = thread.period;
    open_held(thread);
    thread.raw.push_back({token, now_});
    close_open(thread, now_);
    store(thread, false, now_);
  }
  ++thread.position;
}

void TreeBuilder::on_acquire(ThreadId t, LockId m) {
  ThreadState& thread = threads_[t.v];
  thread.held.push_back(m);
  if (thread.depth == 0) {
    forest_.outside_lock_free = false;
    ++thread.position;
  } else if (shared_.lock(m)) {
    thread.open.push_back(thread.raw.size());
    thread.raw.push_back({{TokenKind::kBlock, m.v}, now_});
  }
}

void TreeBuilder::on_release(ThreadId t, LockId m) {
  ThreadState& thread = threads_[t.v];
  const auto held = std::find(thread.held.rbegin(), thread.held.rend(), m);
  if (held != thread.held.rend()) thread.held.erase(std::next(held).base());
  if (thread.depth == 0) {
    forest_.outside_lock_free = false;
    ++thread.position;
    return;
  }
  if (!shared_.lock(m)) return;
  const auto block = std::find_if(thread.open.rbegin(), thread.open.rend(),
                                  [&](std::size_t i) { return thread.raw[i].token.object == m.v; });
  if (block == thread.open.rend()) return;
  thread.raw.push_back({{TokenKind::kClose, m.v}, now_});
  if (block != thread.open.rbegin() && !thread.unnested) {
    forest_.unnested.push_back({thread.block, m, now_});
    thread.unnested = true;
  }
  thread.open.erase(std::next(block).base());
}

void TreeBuilder::on_begin(ThreadId t, LabelId label) {
  ThreadState& thread = threads_[t.v];
  if (thread.depth++ > 0) return;
  thread.block = {t, label, now_};
  thread.first_period = thread.period;
  thread.unnested = false;
  open_held(thread);
}

void TreeBuilder::on_end(ThreadId t) {
  ThreadState& thread = threads_[t.v];
  if (--thread.depth == 0) close_transaction(thread, now_);
}

void TreeBuilder::close_transaction(ThreadState& thread, EventIndex end) {
  close_open(thread, end == kNoEvent ? now_ - 1 : end);
  ++forest_.transactions;
  store(thread, true, end);
  ++thread.position;
}

void TreeBuilder::thread_event(ThreadId t, ThreadId child, bool fork) {
  ThreadState& thread = threads_[t.v];
  forest_.links.push_back({t, thread.position, child, fork});
  ++thread.period;
  if (thread.depth > 0) {
    thread.raw.push_back({{fork ? TokenKind::kFork : TokenKind::kJoin, child.v}, now_});
  } else {
    ++thread.position;
  }
}

void TreeBuilder::store(ThreadState& thread, bool transaction, EventIndex end) {
  trimmer_.run(thread.raw);
  if (trimmer_.tokens.empty()) return;
  const TreeId tree = intern_tree();
  const std::uint64_t key[4] = {std::uint64_t{tree.v} << 1 | (transaction ? 1 : 0),
                                thread.block.label.v, thread.block.thread.v, thread.first_period};
  const std::uint64_t hash = XXH64(key, sizeof key, 0);
  const auto [first, last] = units_.equal_range(hash);
  for (auto known = first; options_.merge_copies && known != last; ++known) {
    Unit& unit = forest_.units[known->second.v];
    if (unit.tree != tree || unit.transaction != transaction ||
        unit.block.label != thread.block.label || unit.thread() != thread.block.thread ||
        unit.period != thread.first_period) {
      continue;
    }
    unit.last_position = thread.position;
    ++unit.copies;
    return;
  }
  units_.emplace(hash, UnitId{static_cast<std::uint32_t>(forest_.units.size())});
  forest_.units.push_back({tree, thread.block, transaction, end, thread.first_period,
                           thread.position, thread.position, 1, trimmer_.events});
}

TreeId TreeBuilder::intern_tree() {
  const auto& tokens = trimmer_.tokens;
  const std::uint64_t hash = XXH64(tokens.data(), tokens.size() * sizeof(Token), 0);
  const auto [first, last] = trees_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (forest_.trees[known->second.v].tokens == tokens) return known->second;
  }
  const TreeId id{static_cast<std::uint32_t>(forest_.trees.size())};
  trees_.emplace(hash, id);
  Tree tree{tokens, {}};
  find_accesses(tree);
  forest_.trees.push_back(std::move(tree));
  return id;
}

void TreeBuilder::find_accesses(Tree& tree) {
  OpenBlocks blocks;
  PathId path = kNoLocks;
  std::unordered_map<std::uint32_t, std::uint32_t> last_write;  // variable -> access
  Period period = 0;
  for (NodeIndex i = 0; i < tree.tokens.size(); ++i) {
    const Token token = tree.tokens[i];
    blocks.pass(tree.tokens, i);
    switch (token.kind) {
      case TokenKind::kBlock: path = forest_.paths.extend(path, {token.object}); continue;
      case TokenKind::kClose:
        path = kNoLocks;
        for (const NodeIndex open : blocks.open()) {
          path = forest_.paths.extend(path, {tree.tokens[open].object});
        }
        continue;
      case TokenKind::kFork:
      case TokenKind::kJoin: ++period; continue;
      default: break;
    }
    Access access{i, {token.object}, path, period};
    access.write = token.kind == TokenKind::kWrite;
    access.unit_final = access.write;
    const auto known = last_write.find(token.object);
    if (known != last_write.end()) {
      Access& write = tree.accesses[known->second];
      if (access.write) {
        write.unit_final = false;
      } else {
        access.own_write = known->second;
        access.enclosed = static_cast<std::uint32_t>(
            std::lower_bound(blocks.open().begin(), blocks.open().end(), write.token) -
            blocks.open().begin());
      }
    }
    if (access.write) last_write[token.object] = static_cast<std::uint32_t>(tree.accesses.size());
    tree.accesses.push_back(access);
  }
}

}  // namespace

Forest build_forest(std::span<const Event> events, const Extent& extent,
                    const SharedObjects& shared, const TreeOptions& options) {
  return TreeBuilder(extent, shared, options).run(events);
}

}  // namespace omnium::predict
