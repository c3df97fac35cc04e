// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/velodrome.h"

#include <algorithm>
#include <utility>

namespace omnium {

void Velodrome::grow(const Extent& extent) {
  blocks_.grow_to(extent.threads);
  threads_.grow_to(extent.threads);
  last_release_.grow_to(extent.locks);
  last_reads_.grow_to(extent.variables);
  last_write_.grow_to(extent.variables);
  reporter_.grow_to(extent.threads);
}

// [Velodrome fig.4 INSIDE READ, OUTSIDE READ]
void Velodrome::on_read(ThreadId t, VarId x) {
  arrive(t);
  const LastReads::Entry mine = last_reads_.entry(x, t);
  // Not in the paper: a repeated read adds nothing. Proof in docs/algorithms/velodrome.md#repeats.
  if (mine.first) depend(t, last_write_[x], DependencyKind::kWriteRead, x.v);
  *mine.step = settle(t, kInsideRead);
}

// [Velodrome fig.4 INSIDE WRITE, OUTSIDE WRITE]
void Velodrome::on_write(ThreadId t, VarId x) {
  arrive(t);
  if (last_reads_.none(x)) {
    depend(t, last_write_[x], DependencyKind::kWriteWrite, x.v);
  } else {
    // Not in the paper: the reads stand for the write before them. Proof in #repeats.
    last_reads_.for_each(x, [&](Step read) { depend(t, read, DependencyKind::kReadWrite, x.v); });
    last_reads_.clear(x);
    // What is found must not depend on how threads are numbered.
    std::ranges::sort(sources_, {}, [](const Source& source) { return source.step.time(); });
  }
  last_write_[x] = settle(t, kInsideWrite);
}

// [Velodrome fig.4 INSIDE ACQUIRE, OUTSIDE ACQUIRE]
void Velodrome::on_acquire(ThreadId t, LockId m) {
  arrive(t);
  depend(t, last_release_[m], DependencyKind::kReleaseAcquire, m.v);
  settle(t, kInsideAcquire);
}

// [Velodrome fig.4 INSIDE RELEASE, OUTSIDE RELEASE]
void Velodrome::on_release(ThreadId t, LockId m) {
  arrive(t);
  last_release_[m] = settle(t, kInsideRelease);
}

// Not in the paper: a fork is a write that the child's first event reads.
void Velodrome::on_fork(ThreadId t, ThreadId child) {
  arrive(t);
  threads_[child].forked = settle(t, kInsideFork);
}

// Not in the paper: a join reads what the other thread's last event wrote. If that thread did
// nothing, its fork precedes the join.
void Velodrome::on_join(ThreadId t, ThreadId other) {
  arrive(t);
  const Thread& joined = threads_[other];
  depend(t, joined.started ? joined.last : joined.forked, DependencyKind::kJoin, other.v);
  settle(t, kInsideJoin);
}

void Velodrome::on_begin(ThreadId t, LabelId label) {
  arrive(t);
  Thread& thread = threads_[t];
  if (blocks_.push(t, label, now())) {
    ++rules_[kEnter];  // [Velodrome fig.4 ENTER]
    thread.budget = kSearchBudget;
    thread.node = graph_.open(blocks_.transaction(t));
    add_program_order(thread.last, thread.node);
    for (const Source& source : sources_) {
      graph_.add_edge(source.step.slot(), edge_from(source, thread.node));
    }
    sources_.clear();
  } else {
    ++rules_[kReEnter];  // [Velodrome fig.4 RE-ENTER]
  }
  thread.last = Step(thread.node, now());
}

// [Velodrome fig.4 EXIT]
void Velodrome::on_end(ThreadId t) {
  ++rules_[kExit];
  Thread& thread = threads_[t];
  thread.last = Step(thread.node, now());
  const BlockRef block = blocks_.innermost(t);
  if (blocks_.pop(t)) graph_.close(thread.node, now());
  reporter_.block_ended(block, blocks_.depth(t), now());
}

// The first event of a forked thread depends on the fork.
void Velodrome::arrive(ThreadId t) {
  Thread& thread = threads_[t];
  if (thread.started) [[likely]]
    return;
  thread.started = true;
  depend(t, thread.forked, DependencyKind::kFork, t.v);
}

void Velodrome::depend(ThreadId t, Step source, DependencyKind kind, std::uint32_t object) {
  if (!graph_.alive(source) || graph_.thread(source.slot()) == t) return;
  sources_.push_back({source, kind, object});
}

// s = L(t) + 1, with the edges H (+) {(source, s)}.
Step Velodrome::settle(ThreadId t, Rule inside) {
  Thread& thread = threads_[t];
  if (blocks_.inside(t)) {
    ++rules_[inside];
    for (const Source& source : sources_) {
      if (graph_.reaches(thread.node, source.step.slot())) {
        close_cycle(t, source);
      } else {
        graph_.add_edge(source.step.slot(), edge_from(source, thread.node));
      }
    }
    thread.last = Step(thread.node, now());
  } else {
    ++rules_[inside + 1];
    thread.last = outside_ == Outside::kMerge ? merge(t) : unary_node(t);
  }
  sources_.clear();
  return thread.last;
}

// [Velodrome fig.4 merge] of L(t) and the sources, into a node of t only:
// docs/algorithms/velodrome.md#merging.
Step Velodrome::merge(ThreadId t) {
  const Step last = threads_[t].last;
  const bool has_last = graph_.alive(last);
  if (!has_last && sources_.empty()) {
    ++rules_[kMergeBottom];
    return Step();
  }
  if (has_last && std::all_of(sources_.begin(), sources_.end(), [&](const Source& source) {
        return graph_.covered(source.step.slot(), last.slot());
      })) {
    ++rules_[kMergeReuse];
    rules_[kMergeCovered] += sources_.size();
    return Step(last.slot(), now());
  }
  ++rules_[kMergeFresh];
  return unary_node(t);
}

// [Velodrome fig.2 INS OUTSIDE] A node of its own, which is garbage at once if nothing precedes it.
Step Velodrome::unary_node(ThreadId t) {
  const Step last = threads_[t].last;
  const Slot node = graph_.add_unary({t, LabelId::none(), now()});
  if (!graph_.alive(last) && sources_.empty()) {
    graph_.collect(node);
    return Step();
  }
  add_program_order(last, node);
  for (const Source& source : sources_) {
    graph_.add_edge(source.step.slot(), edge_from(source, node));
  }
  return Step(node, now());
}

LiveGraph::Edge Velodrome::edge_from(const Source& source, Slot to) const {
  return {.to = to,
          .object = source.object,
          .kind = source.kind,
          .program_order = false,
          .source = source.step.time(),
          .sink = now()};
}

void Velodrome::add_program_order(Step last, Slot to) {
  if (!graph_.alive(last)) return;
  graph_.add_edge(last.slot(), {.to = to,
                                .object = 0,
                                .kind = DependencyKind::kWriteRead,
                                .program_order = true,
                                .source = last.time(),
                                .sink = now()});
}

// [Velodrome 4.3] The edge would close a cycle and is left out, so that H stays acyclic.
void Velodrome::close_cycle(ThreadId t, const Source& source) {
  const Slot node = threads_[t].node;
  std::uint64_t& budget = threads_[t].budget;
  const std::uint64_t before = graph_.counts().searched;
  const Path increasing = graph_.increasing_path(node, source.step, std::max(budget, kSearchLimit));
  budget -= std::min(budget, graph_.counts().searched - before);
  ++rules_[increasing.empty() ? kOtherCycle : kIncreasingCycle];
  if (!cycle_reported_) {
    cycle_reported_ = true;
    report_cycle(source, increasing.empty() ? graph_.path(node, source.step.slot()) : increasing);
  }
  if (increasing.empty()) return;
  budget = 0;
  const Dependency closing{
      graph_.thread(source.step.slot()), source.step.time(), t, now(), source.kind, source.object};
  const auto blocks = blocks_.of(t);
  // Blocks that contain the root operation of the cycle; all open ones contain the target.
  const auto after_root = std::find_if(blocks.begin(), blocks.end(), [&](const BlockRef& block) {
    return block.begin > increasing.front().edge.source;
  });
  reporter_.instance(closing, blocks, static_cast<std::size_t>(after_root - blocks.begin()),
                     [&](const BlockRef&) { return witness(increasing, closing); });
}

// Where a path leaves a node by one of its merged unary events, that event is a transaction of its
// own.
void Velodrome::report_cycle(const Source& source, const Path& path) {
  Cycle cycle;
  cycle.closed_at = now();
  const auto add = [&](const BlockRef& transaction) {
    if (cycle.transactions.empty() || cycle.transactions.back() != transaction) {
      cycle.transactions.push_back(transaction);
    }
  };
  const auto through = [&](Slot entered, EventIndex left) {
    add(graph_.transaction(entered));
    add(graph_.transaction_at(entered, left));
  };
  for (const LiveGraph::Hop& hop : path) through(hop.from, hop.edge.source);
  through(source.step.slot(), source.step.time());
  sink().not_serializable(std::move(cycle));
}

std::vector<WitnessStep> Velodrome::witness(const Path& path, const Dependency& closing) const {
  std::vector<WitnessStep> steps;
  const auto add = [&](Slot from, Slot to, const Dependency& dependency) {
    steps.push_back({graph_.transaction_at(from, dependency.source),
                     graph_.transaction_at(to, dependency.sink), dependency});
  };
  for (const auto& [from, edge] : path) {
    if (edge.program_order) continue;
    add(from, edge.to,
        {graph_.thread(from), edge.source, graph_.thread(edge.to), edge.sink, edge.kind,
         edge.object});
  }
  add(path.back().edge.to, path.front().from, closing);
  return steps;
}

std::vector<Counter> Velodrome::counters() const {
  const LiveGraph::Counts& graph = graph_.counts();
  return {
      {"ENTER", rules_[kEnter]},
      {"RE-ENTER", rules_[kReEnter]},
      {"EXIT", rules_[kExit]},
      {"INSIDE ACQUIRE", rules_[kInsideAcquire]},
      {"INSIDE RELEASE", rules_[kInsideRelease]},
      {"INSIDE READ", rules_[kInsideRead]},
      {"INSIDE WRITE", rules_[kInsideWrite]},
      {"inside fork", rules_[kInsideFork]},
      {"inside join", rules_[kInsideJoin]},
      {"OUTSIDE ACQUIRE", rules_[kOutsideAcquire]},
      {"OUTSIDE RELEASE", rules_[kOutsideRelease]},
      {"OUTSIDE READ", rules_[kOutsideRead]},
      {"OUTSIDE WRITE", rules_[kOutsideWrite]},
      {"outside fork", rules_[kOutsideFork]},
      {"outside join", rules_[kOutsideJoin]},
      {"merge: bottom", rules_[kMergeBottom]},
      {"merge: reused node", rules_[kMergeReuse]},
      {"merge: fresh node", rules_[kMergeFresh]},
      {"merge: dependencies covered", rules_[kMergeCovered]},
      {"increasing cycles", rules_[kIncreasingCycle]},
      {"cycles without blame", rules_[kOtherCycle]},
      {"nodes", graph.nodes, Measure::kMade},
      {"GC: nodes collected", graph.collected},
      {"most nodes alive", graph.most_alive, Measure::kNodes},
      {"edges", graph.edges, Measure::kEdges},
      {"edges replaced", graph.replaced},
      {"dependencies kept", graph.kept, Measure::kKept},
      {"dependencies skipped", graph.replaced + rules_[kMergeCovered], Measure::kSkipped},
      {"nodes visited", graph.visited, Measure::kVisited},
      {"edges searched", graph.searched},
      {"searches given up", graph.given_up},
  };
}

}  // namespace omnium
