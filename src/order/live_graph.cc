// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "order/live_graph.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "support/check.h"

namespace omnium {

std::uint32_t& LiveGraph::Incoming::position(Slot from) {
  if (2 * (used_ + 1) > entries_.size()) {
    std::vector<Entry> old(std::max<std::size_t>(8, 2 * entries_.size()));
    old.swap(entries_);
    used_ = 0;
    for (const Entry& entry : old) {
      if (entry.position != kNew) position(entry.from) = entry.position;
    }
  }
  std::size_t i = from & (entries_.size() - 1);
  while (entries_[i].position != kNew && entries_[i].from != from)
    i = (i + 1) & (entries_.size() - 1);
  if (entries_[i].position == kNew) ++used_;
  entries_[i].from = from;
  return entries_[i].position;
}

void LiveGraph::Incoming::clear() {
  if (used_ == 0) return;
  if (entries_.size() > 64) {
    entries_ = {};
  } else {
    std::fill(entries_.begin(), entries_.end(), Entry{});
  }
  used_ = 0;
}

BlockRef LiveGraph::transaction_at(Slot node, EventIndex event) const {
  const Node& it = nodes_[node];
  if (event <= it.end) return it.transaction;
  return {it.transaction.thread, LabelId::none(), event};
}

LiveGraph::Slot LiveGraph::new_node(const BlockRef& transaction) {
  CHECK(transaction.begin <= Step::kMaxTime);
  ++counts_.nodes;
  Slot slot;
  if (free_nodes_.empty()) {
    slot = static_cast<Slot>(nodes_.size());
    CHECK(slot < Step::kMaxSlots);
    nodes_.emplace_back();
    ancestors_.resize(ancestors_.size() + words_);
  } else {
    slot = free_nodes_.back();
    free_nodes_.pop_back();
  }
  counts_.most_alive =
      std::max<std::uint64_t>(counts_.most_alive, nodes_.size() - free_nodes_.size());
  nodes_[slot].transaction = transaction;
  return slot;
}

LiveGraph::Slot LiveGraph::open(const BlockRef& block) {
  const Slot slot = new_node(block);
  const std::uint32_t bit = new_bit();
  nodes_[slot].end = kNoEvent;
  nodes_[slot].bit = bit;
  ancestors_of(slot)[bit / 64] |= std::uint64_t{1} << (bit % 64);
  return slot;
}

LiveGraph::Slot LiveGraph::add_unary(const BlockRef& event) {
  const Slot slot = new_node(event);
  nodes_[slot].end = event.begin;
  return slot;
}

std::uint32_t LiveGraph::new_bit() {
  if (!free_bits_.empty()) {
    const std::uint32_t bit = free_bits_.back();
    free_bits_.pop_back();
    return bit;
  }
  if (bits_ == 64 * words_) widen();
  incoming_.emplace_back();
  return bits_++;
}

// More transactions are open at once than ever before: twice as many bits for every node.
void LiveGraph::widen() {
  std::vector<std::uint64_t> wider(2 * ancestors_.size());
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    std::copy_n(ancestors_.begin() + static_cast<std::ptrdiff_t>(node * words_), words_,
                wider.begin() + static_cast<std::ptrdiff_t>(2 * node * words_));
  }
  ancestors_ = std::move(wider);
  words_ *= 2;
}

bool LiveGraph::covered(Slot a, Slot b) const {
  const std::uint64_t* of_a = ancestors_of(a);
  const std::uint64_t* of_b = ancestors_of(b);
  for (std::size_t i = 0; i < words_; ++i) {
    if ((of_a[i] & ~of_b[i]) != 0) return false;
  }
  return true;
}

void LiveGraph::add_edge(Slot from, const Edge& edge) {
  auto& successors = nodes_[from].successors;
  if (nodes_[edge.to].bit != kNoBit) {
    std::uint32_t& position = incoming_[nodes_[edge.to].bit].position(from);
    // The slot of a source may have been recycled since: then its edges are not those of the entry.
    if (position < successors.size() && successors[position].to == edge.to) {
      ++counts_.replaced;
      successors[position] = edge;
      return;
    }
    position = static_cast<std::uint32_t>(successors.size());
  }
  ++counts_.edges;
  if (!edge.program_order) ++counts_.kept;
  nodes_[edge.to].predecessors.push_back({from, static_cast<std::uint32_t>(successors.size())});
  successors.push_back(edge);
  spread(from, edge.to);
}

bool LiveGraph::add_ancestors(const std::uint64_t* more, Slot node) {
  std::uint64_t* has = ancestors_of(node);
  std::uint64_t added = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    added |= more[i] & ~has[i];
    has[i] |= more[i];
  }
  return added != 0;
}

// What reaches `from` reaches `to` and everything after it.
void LiveGraph::spread(Slot from, Slot to) {
  news_.assign(ancestors_of(from), ancestors_of(from) + words_);
  if (!add_ancestors(news_.data(), to)) return;
  work_.push_back(to);
  while (!work_.empty()) {
    const Slot node = work_.back();
    work_.pop_back();
    for (const Edge& edge : nodes_[node].successors) {
      if (add_ancestors(news_.data(), edge.to)) work_.push_back(edge.to);
    }
  }
}

// [Velodrome fig.4 GC] The node is no open ancestor any more; who has none left is garbage.
void LiveGraph::close(Slot closed, EventIndex end) {
  const std::uint32_t bit = nodes_[closed].bit;
  const std::size_t word = bit / 64;
  const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
  nodes_[closed].end = end;
  nodes_[closed].bit = kNoBit;
  incoming_[bit].clear();
  free_bits_.push_back(bit);
  ancestors_of(closed)[word] &= ~mask;
  work_.push_back(closed);
  while (!work_.empty()) {
    const Slot node = work_.back();
    work_.pop_back();
    for (const Edge& edge : nodes_[node].successors) {
      std::uint64_t& ancestors = ancestors_of(edge.to)[word];
      if ((ancestors & mask) == 0) continue;
      ancestors &= ~mask;
      work_.push_back(edge.to);
    }
    const std::uint64_t* ancestors = ancestors_of(node);
    if (std::all_of(ancestors, ancestors + words_, [](auto bits) { return bits == 0; }))
      collect(node);
  }
}

void LiveGraph::collect(Slot slot) {
  constexpr std::size_t kWorthKeeping = 16;
  ++counts_.collected;
  Node& node = nodes_[slot];
  node.transaction.begin = kNoEvent;
  node.successors.clear();
  node.predecessors.clear();
  if (node.successors.capacity() > kWorthKeeping) node.successors.shrink_to_fit();
  if (node.predecessors.capacity() > kWorthKeeping) node.predecessors.shrink_to_fit();
  free_nodes_.push_back(slot);
}

void LiveGraph::start_search() {
  ++search_;
  visits_.resize(nodes_.size());
}

LiveGraph::Visit& LiveGraph::visit(Slot node) {
  Visit& visit = visits_[node];
  if (visit.search != search_) visit = {0, 0, search_};
  return visit;
}

// Breadth first.
std::vector<LiveGraph::Hop> LiveGraph::path(Slot open_node, Slot goal) {
  start_search();
  visit(goal).deadline = kNoEvent;
  work_.assign(1, goal);
  for (std::size_t next = 0; work_[next] != open_node; ++next) {
    ++counts_.visited;
    for (const EdgeRef ref : nodes_[work_[next]].predecessors) {
      ++counts_.searched;
      if (edge_at(ref, work_[next]) == nullptr || !reaches(open_node, ref.from)) continue;
      Visit& there = visit(ref.from);
      if (there.deadline != 0) continue;
      there.deadline = kNoEvent;
      there.edge = ref.position;
      work_.push_back(ref.from);
    }
  }
  work_.clear();
  return found_path(open_node, goal);
}

// Latest deadline first (Dijkstra): whoever may leave later can be entered by more edges.
std::vector<LiveGraph::Hop> LiveGraph::increasing_path(Slot open_node, Step goal,
                                                       std::uint64_t limit) {
  start_search();
  std::priority_queue<std::pair<EventIndex, Slot>> queue;
  visit(goal.slot()).deadline = goal.time();
  queue.push({goal.time(), goal.slot()});
  while (!queue.empty()) {
    const auto [deadline, node] = queue.top();
    queue.pop();
    ++counts_.visited;
    if (node == open_node) return found_path(open_node, goal.slot());
    if (deadline < visit(node).deadline) continue;
    for (const EdgeRef ref : nodes_[node].predecessors) {
      if (limit-- == 0) {
        ++counts_.given_up;
        return {};
      }
      ++counts_.searched;
      const Edge* edge = edge_at(ref, node);
      if (edge == nullptr || edge->sink > deadline || !reaches(open_node, ref.from)) continue;
      Visit& there = visit(ref.from);
      if (there.deadline >= edge->source) continue;
      there.deadline = edge->source;
      there.edge = ref.position;
      queue.push({edge->source, ref.from});
    }
  }
  return {};
}

std::vector<LiveGraph::Hop> LiveGraph::found_path(Slot open_node, Slot goal) {
  std::vector<Hop> hops;
  for (Slot node = open_node; node != goal; node = hops.back().edge.to) {
    hops.push_back({node, nodes_[node].successors[visit(node).edge]});
  }
  return hops;
}

}  // namespace omnium
