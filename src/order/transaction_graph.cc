// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "order/transaction_graph.h"

#include <algorithm>
#include <deque>

#include "support/check.h"

namespace omnium {

void TransactionGraph::grow(const Extent& extent) {
  deps_.grow_to(extent);
  blocks_.grow_to(extent.threads);
  of_thread_.grow_to(extent.threads);
  if (edges_ == Edges::kDirect) return;
  readers_.grow_to(extent.variables);
  writers_.grow_to(extent.variables);
  releasers_.grow_to(extent.locks);
  forkers_.grow_to(extent.threads);
}

void TransactionGraph::on_begin(ThreadId t, LabelId label) {
  if (blocks_.push(t, label, now_)) node_at_now(t);
  access([&](auto emit) { deps_.begin_or_end(t, now_, emit); }, t);
}

void TransactionGraph::on_end(ThreadId t) {
  access([&](auto emit) { deps_.begin_or_end(t, now_, emit); }, t);
  if (blocks_.inside(t)) blocks_.pop(t);
}

// The node of the transaction that the current event of t belongs to, created at its first event.
TransactionGraph::Node TransactionGraph::node_at_now(ThreadId t) {
  auto& mine = of_thread_[t];
  const BlockRef block = blocks_.transaction_at(t, now_);
  if (!mine.empty() && nodes_[mine.back()].block == block) return mine.back();
  const auto node = static_cast<Node>(nodes_.size());
  CHECK(nodes_.size() < ~Node{0});
  nodes_.push_back({block, {}});
  if (!mine.empty()) add_edge(mine.back(), node);
  mine.push_back(node);
  if (edges_ == Edges::kAll) conflicts(t, {&mine, &forkers_[t]}, nullptr);
  return node;
}

TransactionGraph::Node TransactionGraph::node_of(ThreadId t, EventIndex event) const {
  const auto& mine = of_thread_[t];
  const auto after = std::upper_bound(
      mine.begin(), mine.end(), event,
      [this](EventIndex index, Node node) { return index < nodes_[node].block.begin; });
  CHECK(after != mine.begin());
  return *std::prev(after);
}

void TransactionGraph::add_edge(Node from, Node to) {
  auto& successors = nodes_[from].successors;
  if (from == to || (!successors.empty() && successors.back().to == to)) return;
  if (edges_ == Edges::kAll && !pairs_.insert(std::uint64_t{from} << 32 | to).second) return;
  successors.push_back({to, now_});
  ++edge_count_;
}

// Edges to the current transaction of t from all in `before`; it joins `own`.
void TransactionGraph::conflicts(ThreadId t,
                                 std::initializer_list<const std::vector<Node>*> before,
                                 std::vector<Node>* own) {
  const Node node = of_thread_[t].back();
  for (const std::vector<Node>* nodes : before) {
    for (const Node from : *nodes) add_edge(from, node);
  }
  if (own != nullptr && (own->empty() || own->back() != node)) own->push_back(node);
}

// Tarjan's algorithm with an explicit stack.
std::vector<std::uint32_t> TransactionGraph::components() const {
  constexpr std::uint32_t kUnseen = ~std::uint32_t{0};
  struct Frame {
    Node node;
    std::size_t next;
  };
  std::vector<std::uint32_t> order(nodes_.size(), kUnseen), low(nodes_.size()),
      component(nodes_.size(), kUnseen);
  std::vector<Node> pending;
  std::vector<Frame> frames;
  std::uint32_t clock = 0, found = 0;
  const auto enter = [&](Node node) {
    order[node] = low[node] = clock++;
    pending.push_back(node);
    frames.push_back({node, 0});
  };
  for (Node root = 0; root < nodes_.size(); ++root) {
    if (order[root] == kUnseen) enter(root);
    while (!frames.empty()) {
      const Node node = frames.back().node;
      if (frames.back().next < nodes_[node].successors.size()) {
        const Node to = nodes_[node].successors[frames.back().next++].to;
        if (order[to] == kUnseen)
          enter(to);
        else if (component[to] == kUnseen)
          low[node] = std::min(low[node], order[to]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) {
        low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      }
      if (low[node] != order[node]) continue;
      for (Node member = kUnseen; member != node; pending.pop_back()) {
        member = pending.back();
        component[member] = found;
      }
      ++found;
    }
  }
  return component;
}

std::optional<TransactionGraph::FoundCycle> TransactionGraph::find_cycle() const {
  const std::vector<std::uint32_t> component = components();
  // Every cycle has an edge to a transaction that began earlier; start from the first such edge.
  const Edge* closing = nullptr;
  for (Node node = 0; node < nodes_.size(); ++node) {
    for (const Edge& edge : nodes_[node].successors) {
      if (component[edge.to] != component[node]) continue;
      if (nodes_[edge.to].block.begin > nodes_[node].block.begin) continue;  // points forward
      if (closing == nullptr || edge.sink < closing->sink) closing = &edge;
    }
  }
  if (closing == nullptr) return std::nullopt;
  const std::vector<Node> cycle = shortest_cycle(closing->to);
  return FoundCycle{closed_at(cycle), blocks_of(cycle)};
}

std::vector<BlockRef> TransactionGraph::cycle_through(ThreadId t, EventIndex event) const {
  return blocks_of(shortest_cycle(node_of(t, event)));
}

std::vector<TransactionGraph::Node> TransactionGraph::shortest_cycle(Node start) const {
  constexpr Node kUnseen = ~Node{0};
  std::vector<Node> parent(nodes_.size(), kUnseen);
  std::deque<Node> queue{start};
  while (!queue.empty()) {
    const Node node = queue.front();
    queue.pop_front();
    for (const Edge& edge : nodes_[node].successors) {
      if (edge.to == start) {
        std::vector<Node> cycle;
        for (Node at = node; at != start; at = parent[at]) cycle.push_back(at);
        cycle.push_back(start);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (parent[edge.to] != kUnseen) continue;
      parent[edge.to] = node;
      queue.push_back(edge.to);
    }
  }
  return {};
}

// The event that completed the last of the cycle's edges.
EventIndex TransactionGraph::closed_at(const std::vector<Node>& cycle) const {
  EventIndex latest = 0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Node next = cycle[(i + 1) % cycle.size()];
    const auto& successors = nodes_[cycle[i]].successors;
    const auto edge = std::find_if(successors.begin(), successors.end(),
                                   [next](const Edge& candidate) { return candidate.to == next; });
    CHECK(edge != successors.end());
    latest = std::max(latest, edge->sink);
  }
  return latest;
}

std::vector<BlockRef> TransactionGraph::blocks_of(const std::vector<Node>& cycle) const {
  std::vector<BlockRef> blocks;
  for (const Node node : cycle) blocks.push_back(nodes_[node].block);
  return blocks;
}

}  // namespace omnium
