// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "order/live_graph.h"

#include <algorithm>
#include <functional>
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

void LiveGraph::collect(Slot node) {
  ++counts_.collected;
  nodes_[node].transaction.begin = kNoEvent;
  if (nodes_[node].successors.capacity() > 16) {
    nodes_[node].successors = {};
  } else {
    nodes_[node].successors.clear();
  }
  free_nodes_.push_back(node);
}

LiveGraph::Visit& LiveGraph::visit(Slot node) {
  Visit& visit = visits_[node];
  if (visit.search != search_) visit = {kNoEvent, 0, 0, search_};
  return visit;
}

// Breadth first: a shortest path.
std::vector<LiveGraph::Hop> LiveGraph::path(Slot open_node, Slot goal) {
  ++search_;
  visits_.resize(nodes_.size());
  visit(open_node).arrival = 0;
  work_.assign(1, open_node);
  for (std::size_t next = 0; next < work_.size(); ++next) {
    const Slot node = work_[next];
    ++counts_.searched;
    if (node == goal) break;
    const auto& successors = nodes_[node].successors;
    for (std::uint32_t i = 0; i < successors.size(); ++i) {
      Visit& there = visit(successors[i].to);
      if (there.arrival != kNoEvent) continue;
      there.arrival = successors[i].sink;
      there.from = node;
      there.edge = i;
      work_.push_back(successors[i].to);
    }
  }
  work_.clear();
  return trace_back(open_node, goal);
}

// Earliest arrival first (Dijkstra): whoever arrives earlier can leave by more edges.
std::vector<LiveGraph::Hop> LiveGraph::increasing_path(Slot open_node, Step goal,
                                                       std::uint64_t limit) {
  ++search_;
  visits_.resize(nodes_.size());
  using Arrival = std::pair<EventIndex, Slot>;
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> queue;
  visit(open_node).arrival = 0;
  queue.push({0, open_node});
  while (!queue.empty()) {
    const auto [arrival, node] = queue.top();
    queue.pop();
    if (arrival > visit(node).arrival) continue;
    if (limit-- == 0) return {};
    ++counts_.searched;
    if (node == goal.slot()) return trace_back(open_node, node);
    const auto& successors = nodes_[node].successors;
    for (std::uint32_t i = 0; i < successors.size(); ++i) {
      const Edge& edge = successors[i];
      if (edge.source < arrival || edge.sink > goal.time()) continue;
      Visit& there = visit(edge.to);
      if (there.arrival <= edge.sink) continue;
      there.arrival = edge.sink;
      there.from = node;
      there.edge = i;
      queue.push({edge.sink, edge.to});
    }
  }
  return {};
}

std::vector<LiveGraph::Hop> LiveGraph::trace_back(Slot open_node, Slot goal) {
  std::vector<Hop> hops;
  for (Slot node = goal; node != open_node;) {
    const Visit& here = visit(node);
    hops.push_back({here.from, nodes_[here.from].successors[here.edge]});
    node = here.from;
  }
  std::reverse(hops.begin(), hops.end());
  return hops;
}

}  // namespace omnium
