// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/tree_builder.h"

#include <algorithm>
#include <unordered_map>

#include <xxhash.h>

namespace omnium::predict {

namespace {

struct RawToken {
  Token token;
  EventIndex event;
  bool ends_period = false;
};

struct ThreadState {
  std::vector<HeldLock> held;  // in the order in which they were taken
  std::uint32_t depth = 0;     // of open atomic blocks
  Period period = 0;
  Position position = 0;  // of the unit that is open or comes next
  // Of the open transaction:
  BlockRef block;
  Period first_period = 0;
  Period part_period = 0;  // of the first event of the part, as far as it begins in every case
  std::vector<RawToken> raw;
  std::vector<std::size_t> open;  // blocks of `raw`
  bool unnested = false;
  EventIndex last_event = kNoEvent;
  Period last_event_period = 0;
};

// Keeps the tokens that matter: no empty blocks, no repeated accesses.
class Trimmer {
 public:
  explicit Trimmer(bool trim) : trim_(trim) {}

  void run(std::span<const RawToken> raw) {
    tokens.clear();
    events.clear();
    frames_.clear();
    forget(seen_);
    segment_ = 0;
    leaves_ = 0;
    attempts_on_ = VarId::kNoneValue;
    frames_.push_back({kRoot, 0, 0, next_serial_++, 0});
    // Not in the paper: the last write of a variable stays, for its locks matter to view-atomicity.
    forget(last_write_);
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

  // One large unit must not make all the small ones behind it pay for its table.
  template <class Table>
  static void forget(Table& table) {
    constexpr std::size_t kSmall = 1024;
    if (table.bucket_count() > kSmall && table.size() < table.bucket_count() / 8) {
      table = Table();  // an empty list would only clear it
    } else {
      table.clear();
    }
  }

  void add(const RawToken& each) {
    // An attempt right behind attempts on the same variable adds nothing.
    const bool attempts =
        each.token.kind == TokenKind::kAttempt || each.token.kind == TokenKind::kAtomicRead;
    const bool repeated = attempts && each.token.object == attempts_on_;
    if (!repeated) attempts_on_ = VarId::kNoneValue;
    switch (each.token.kind) {
      case TokenKind::kBlock: return open(each);
      case TokenKind::kClose: return close(each);
      case TokenKind::kFork:
      case TokenKind::kJoin:
      case TokenKind::kSignal:
      case TokenKind::kAwait:
        ++segment_;
        ++leaves_;
        return push(each);
      case TokenKind::kPeriod: ++segment_; return push(each);
      case TokenKind::kCut: ++segment_; return push(each);
      case TokenKind::kAttempt:
        if (repeated) return;
        attempts_on_ = each.token.object;
        ++segment_;
        return push(each);
      case TokenKind::kRead:
      case TokenKind::kAtomicRead:
      case TokenKind::kWrite:
        if (trim_ && !each.ends_period && !first_two(each.token) && !is_last_write(each)) return;
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
    std::uint8_t& mine = token.kind == TokenKind::kRead    ? count.reads
                         : token.kind == TokenKind::kWrite ? count.writes
                                                           : count.atomic_reads;
    if (mine == 2) return false;
    ++mine;
    return true;
  }

  struct Counts {
    std::uint8_t reads = 0, atomic_reads = 0, writes = 0;
  };

  bool trim_;
  std::uint32_t attempts_on_ = VarId::kNoneValue;  // the tokens so far end with attempts on it
  std::uint32_t segment_ = 0;                      // counts where periods or parts end
  std::uint64_t leaves_ = 0;
  std::uint32_t next_serial_ = 0;
  std::vector<Frame> frames_;
  std::unordered_map<std::uint32_t, EventIndex> last_write_;  // per variable
  std::unordered_map<std::uint64_t, Counts> seen_;
};

class TreeBuilder {
 public:
  TreeBuilder(const Recording& recording, const ThreadPeriods& periods, const SharedObjects& shared,
              Atomicity atomicity, Waits waits, const TreeOptions& options)
      : recording_(recording),
        periods_(periods),
        shared_(shared),
        view_(atomicity == Atomicity::kView),
        splits_(waits == Waits::kSplit),
        options_(options),
        trimmer_(options.trim),
        threads_(recording.extent().threads),
        signals_(recording.extent().signals) {
    for (std::uint32_t t = 0; t < threads_.size(); ++t) threads_[t].block.thread = {t};
    forest_.unit_counts.resize(threads_.size(), 0);
    forest_.channels.resize(recording.channels());
    forest_.signals = recording.extent().signals;
  }

  Forest run() && {
    for (now_ = 0; now_ < recording_.size(); ++now_) event(recording_[now_]);
    for (ThreadState& thread : threads_) {
      if (thread.depth == 0) continue;
      ++forest_.open_blocks;
      close_transaction(thread, kNoEvent);
    }
    for (std::size_t t = 0; t < threads_.size(); ++t) forest_.unit_counts[t] = threads_[t].position;
    order_through_idle_threads();
    return std::move(forest_);
  }

 private:
  struct LastSignal {
    ThreadId thread;
    Period period;
  };

  void event(const Event& event);
  void access(ThreadState& thread, const Event& event);
  void push_access(ThreadState& thread, const Event& event);
  void push_period(ThreadState& thread, const Event& event);
  void acquire(ThreadState& thread, HeldLock lock);
  void release(ThreadState& thread, HeldLock lock);
  void begin(const Event& event);
  void end(ThreadState& thread);
  void resume(ThreadState& thread, const Event& event);
  void signal(ThreadState& thread, const Event& event);
  void await(ThreadState& thread, const Event& event);
  void wait(ThreadState& thread, const Event& event);
  void leaf(ThreadState& thread, TokenKind kind, std::uint32_t channel);
  void cut(ThreadState& thread);
  void thread_event(ThreadState& thread, const Event& event);
  bool waited_for(const ThreadState& thread, ThreadId other, Period period) const;
  void use_channel(std::vector<ChannelUse>& uses, const ThreadState& thread);
  void order_through_idle_threads();
  void open_held(ThreadState& thread);
  void close_open(ThreadState& thread, EventIndex at);
  void open_transaction(ThreadState& thread, LabelId label);
  void close_transaction(ThreadState& thread, EventIndex end);
  void store(ThreadState& thread, bool transaction, EventIndex end);
  TreeId intern_tree();
  void find_accesses(Tree& tree);

  const Recording& recording_;
  const ThreadPeriods& periods_;
  const SharedObjects& shared_;
  bool view_;
  bool splits_;
  TreeOptions options_;
  Trimmer trimmer_;
  std::vector<ThreadState> threads_;
  std::vector<std::vector<LastSignal>> signals_;  // per signal: the last one of each thread
  Forest forest_;
  std::unordered_multimap<std::uint64_t, TreeId> trees_;
  std::unordered_multimap<std::uint64_t, UnitId> units_;
  EventIndex now_ = 0;
};

// Every event outside blocks is a unit; a period may end behind any event.
void TreeBuilder::event(const Event& event) {
  ThreadState& thread = threads_[event.thread_id];
  switch (event.kind) {
    case Kind::kSkip: return;
    case Kind::kBegin: begin(event); break;
    case Kind::kEnd: end(thread); break;
    case Kind::kFork:
    case Kind::kJoin: thread_event(thread, event); break;
    case Kind::kAcquire:
    case Kind::kSharedAcquire:
      acquire(thread, held_lock(event.lock(), is_shared_side(event.kind)));
      break;
    case Kind::kRelease:
    case Kind::kSharedRelease:
      release(thread, held_lock(event.lock(), is_shared_side(event.kind)));
      break;
    case Kind::kResume: resume(thread, event); break;
    case Kind::kWait: wait(thread, event); break;
    case Kind::kSignal: signal(thread, event); break;
    case Kind::kAwait: await(thread, event); break;
    case Kind::kBusy: break;
    default: access(thread, event); break;
  }
  if (thread.depth == 0 && event.kind != Kind::kEnd) ++thread.position;
  thread.last_event = now_;
  thread.last_event_period = thread.period;
  if (periods_.ends_after(now_)) ++thread.period;
}

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
  for (const HeldLock lock : thread.held) {
    if (!shared_.lock(lock_of(lock))) continue;
    thread.open.push_back(thread.raw.size());
    thread.raw.push_back({{TokenKind::kBlock, lock.v}, now_});
  }
}

void TreeBuilder::close_open(ThreadState& thread, EventIndex at) {
  for (; !thread.open.empty(); thread.open.pop_back()) {
    thread.raw.push_back({{TokenKind::kClose, thread.raw[thread.open.back()].token.object}, at});
  }
}

void TreeBuilder::access(ThreadState& thread, const Event& event) {
  if (!shared_.variable(event.variable())) return;
  if (thread.depth > 0) {
    if (event.kind == Kind::kRetry && splits_) {
      thread.raw.push_back({{TokenKind::kAttempt, event.object}, now_});
    }
    push_access(thread, event);
    return push_period(thread, event);
  }
  thread.block.label = LabelId::none();
  thread.block.begin = now_;
  thread.first_period = thread.period;
  open_held(thread);
  push_access(thread, event);
  push_period(thread, event);
  close_open(thread, now_);
  store(thread, false, now_);
}

// For view-atomicity a read-modify-write reads and writes. Nothing comes between, as if every
// access of the variable took a lock of its own.
void TreeBuilder::push_access(ThreadState& thread, const Event& event) {
  const bool ends = periods_.ends_after(now_);
  const bool guarded = view_ && shared_.updated(event.variable());
  const HeldLock guard = held_lock({recording_.extent().locks + event.object}, false);
  if (guarded) thread.raw.push_back({{TokenKind::kBlock, guard.v}, now_});
  const bool reads = is_read(event.kind) && (!is_write(event.kind) || guarded);
  if (reads) {
    const bool attempt = event.kind == Kind::kAtomicRead || event.kind == Kind::kRetry;
    const TokenKind kind = attempt ? TokenKind::kAtomicRead : TokenKind::kRead;
    thread.raw.push_back({{kind, event.object}, now_, ends});
  }
  if (is_write(event.kind)) {
    thread.raw.push_back({{TokenKind::kWrite, event.object}, now_, ends});
  }
  if (guarded) thread.raw.push_back({{TokenKind::kClose, guard.v}, now_});
}

void TreeBuilder::push_period(ThreadState& thread, const Event& event) {
  if (!periods_.ends_after(now_)) return;
  const std::uint32_t learned = is_read(event.kind) && periods_.learns(now_) ? 1 : 0;
  thread.raw.push_back({{TokenKind::kPeriod, learned}, now_});
}

void TreeBuilder::acquire(ThreadState& thread, HeldLock lock) {
  thread.held.push_back(lock);
  if (thread.depth == 0) {
    forest_.outside_lock_free = false;
  } else if (shared_.lock(lock_of(lock))) {
    thread.open.push_back(thread.raw.size());
    thread.raw.push_back({{TokenKind::kBlock, lock.v}, now_});
  }
}

void TreeBuilder::release(ThreadState& thread, HeldLock lock) {
  const auto held = std::find(thread.held.rbegin(), thread.held.rend(), lock);
  if (held != thread.held.rend()) thread.held.erase(std::next(held).base());
  if (thread.depth == 0) {
    forest_.outside_lock_free = false;
    return;
  }
  if (!shared_.lock(lock_of(lock))) return;
  const auto block = std::find_if(thread.open.rbegin(), thread.open.rend(), [&](std::size_t i) {
    return thread.raw[i].token.object == lock.v;
  });
  if (block == thread.open.rend()) return;
  thread.raw.push_back({{TokenKind::kClose, lock.v}, now_});
  if (block != thread.open.rbegin() && !thread.unnested) {
    forest_.unnested.push_back({thread.block, lock_of(lock), now_});
    thread.unnested = true;
  }
  thread.open.erase(std::next(block).base());
}

void TreeBuilder::open_transaction(ThreadState& thread, LabelId label) {
  thread.block = {thread.block.thread, label, now_};
  thread.first_period = thread.part_period = thread.period;
  thread.unnested = false;
  open_held(thread);
}

void TreeBuilder::begin(const Event& event) {
  ThreadState& thread = threads_[event.thread_id];
  if (thread.depth++ == 0) open_transaction(thread, event.label());
}

void TreeBuilder::end(ThreadState& thread) {
  if (--thread.depth == 0) close_transaction(thread, now_);
}

void TreeBuilder::close_transaction(ThreadState& thread, EventIndex end) {
  close_open(thread, end == kNoEvent ? now_ - 1 : end);
  ++forest_.transactions;
  store(thread, true, end);
  ++thread.position;
}

// Whoever resumes begins a new part.
void TreeBuilder::resume(ThreadState& thread, const Event& event) {
  if (thread.depth > 0 && splits_) {
    close_transaction(thread, thread.last_event);
    open_transaction(thread, thread.block.label);
  }
  acquire(thread, held_lock(event.lock(), false));
}

void TreeBuilder::wait(ThreadState& thread, const Event& event) {
  release(thread, held_lock(event.lock(), false));
  const std::uint32_t channel = recording_.channel_of_wait(now_);
  if (channel == Recording::kNoChannel) return;
  use_channel(forest_.channels[channel].signallers, thread);
  leaf(thread, TokenKind::kSignal, channel);
}

void TreeBuilder::signal(ThreadState& thread, const Event& event) {
  if (!recording_.is_awaited(event.signal())) return;
  for (const std::uint32_t wait : recording_.waits_ended_by(now_)) {
    const std::uint32_t channel = recording_.channel_of_wait(wait);
    use_channel(forest_.channels[channel].awaiters, thread);
    leaf(thread, TokenKind::kAwait, channel);
  }
  auto& last = signals_[event.object];
  const auto mine = std::ranges::find(last, thread.block.thread, &LastSignal::thread);
  const LastSignal now{thread.block.thread, thread.period};
  if (mine == last.end()) {
    last.push_back(now);
  } else {
    *mine = now;
  }
  use_channel(forest_.channels[event.object].signallers, thread);
  leaf(thread, TokenKind::kSignal, event.object);
}

void TreeBuilder::await(ThreadState& thread, const Event& event) {
  bool waited = false;
  for (const LastSignal& signal : signals_[event.object]) {
    if (signal.thread == thread.block.thread) continue;
    waited |= waited_for(thread, signal.thread, signal.period);
  }
  if (waited) cut(thread);
  use_channel(forest_.channels[event.object].awaiters, thread);
  leaf(thread, TokenKind::kAwait, event.object);
}

// In every interleaving what happens in that period of another thread is behind the part's first
// event.
bool TreeBuilder::waited_for(const ThreadState& thread, ThreadId other, Period period) const {
  return periods_.over(other, period, thread.block.thread) > thread.part_period;
}

void TreeBuilder::cut(ThreadState& thread) {
  if (thread.depth == 0 || !splits_) return;
  thread.raw.push_back({{TokenKind::kCut, 0}, now_});
  thread.part_period = thread.period;
}

void TreeBuilder::leaf(ThreadState& thread, TokenKind kind, std::uint32_t channel) {
  if (thread.depth > 0) thread.raw.push_back({{kind, channel}, now_});
  if (kind == TokenKind::kAwait && channel >= recording_.extent().signals) return;
  if (thread.depth > 0 && periods_.ends_after(now_)) {
    thread.raw.push_back({{TokenKind::kPeriod, 0}, now_});
  }
}

void TreeBuilder::use_channel(std::vector<ChannelUse>& uses, const ThreadState& thread) {
  const auto mine = std::ranges::find(uses, thread.block.thread, &ChannelUse::thread);
  if (mine == uses.end()) {
    uses.push_back({thread.block.thread, thread.position, thread.position});
  } else {
    mine->last = thread.position;
  }
}

void TreeBuilder::thread_event(ThreadState& thread, const Event& event) {
  const bool fork = event.kind == Kind::kFork;
  forest_.links.push_back({thread.block.thread, thread.position, event.other(), fork});
  if (thread.depth == 0) return;
  const ThreadState& child = threads_[event.object];
  if (!fork && child.last_event != kNoEvent &&
      waited_for(thread, event.other(), child.last_event_period)) {
    cut(thread);
  }
  thread.raw.push_back({{fork ? TokenKind::kFork : TokenKind::kJoin, event.object}, now_});
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
      case TokenKind::kPeriod:
        if (token.object != 0) tree.accesses.back().learns = true;
        ++period;
        continue;
      case TokenKind::kFork:
      case TokenKind::kJoin: ++period; continue;
      default:
        if (!is_access(token.kind)) continue;
    }
    Access access{i, {token.object}, path, period};
    access.write = token.kind == TokenKind::kWrite;
    access.attempt = token.kind == TokenKind::kAtomicRead;
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

Forest build_forest(const Recording& recording, const ThreadPeriods& periods,
                    const SharedObjects& shared, Atomicity atomicity, Waits waits,
                    const TreeOptions& options) {
  return TreeBuilder(recording, periods, shared, atomicity, waits, options).run();
}

}  // namespace omnium::predict
