// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "order/happens_before_forest.h"

#include <algorithm>

namespace omnium {

std::uint32_t HappensBeforeForest::Tree::add(const Node& node) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  if (2 * nodes_.size() > map_.size()) {
    map_.assign(2 * map_.size(), kNone);
    for (std::uint32_t i = 0; i < number; ++i) place(i);
  }
  place(number);
  return number;
}

void HappensBeforeForest::Tree::place(std::uint32_t number) {
  std::size_t i = nodes_[number].thread.v & (map_.size() - 1);
  while (map_[i] != kNone) i = (i + 1) & (map_.size() - 1);
  map_[i] = number;
  nodes_[number].place = static_cast<std::uint32_t>(i);
}

void HappensBeforeForest::Tree::clear() {
  for (const Node& node : nodes_) map_[node.place] = kNone;
  nodes_.clear();
}

void HappensBeforeForest::add(TreeIndex tree, const Node& node) {
  auto& reached_by = threads_[node.thread].reached_by;
  const std::uint32_t number = trees_[tree].add(node);
  trees_[tree].node(number).position = static_cast<std::uint32_t>(reached_by.size());
  reached_by.push_back({node.arrival, tree, number});
}

void HappensBeforeForest::plant(const BlockRef& transaction) {
  if (free_trees_.empty()) {
    free_trees_.push_back(static_cast<TreeIndex>(trees_.size()));
    trees_.emplace_back();
  }
  const TreeIndex tree = free_trees_.back();
  free_trees_.pop_back();
  threads_[transaction.thread].tree = tree;
  Node root{};
  root.thread = transaction.thread;
  root.arrival = transaction.begin;
  root.to = transaction;
  add(tree, root);
  trees_[tree].seen_before = seen_;
  trees_[tree].into_before = threads_[transaction.thread].into;
  counts_.most_trees = std::max(counts_.most_trees, ++open_trees_);
}

void HappensBeforeForest::fell(ThreadId t) {
  const TreeIndex tree = threads_[t].tree;
  threads_[t].tree = kNone;
  for (const Node& node : trees_[tree].nodes()) {
    auto& reached_by = threads_[node.thread].reached_by;
    const Reached moved = reached_by.back();
    reached_by[node.position] = moved;
    trees_[moved.tree].node(moved.node).position = node.position;
    reached_by.pop_back();
  }
  const std::uint64_t captured = trees_[tree].nodes().size() - 1;
  counts_.most_skipped = std::max(counts_.most_skipped, counts_.skipped - skipped_by_felled_);
  skipped_by_felled_ += (seen_ - trees_[tree].seen_before) -
                        (threads_[t].into - trees_[tree].into_before) - captured;
  --open_trees_;
  captured_now_ -= captured;
  trees_[tree].clear();
  free_trees_.push_back(tree);
}

HappensBeforeForest::View HappensBeforeForest::view(const Dependency& dependency) const {
  View view;
  for (const Reached& reached : threads_[dependency.source_thread].reached_by) {
    const Tree& tree = trees_[reached.tree];
    if (reached.arrival > dependency.source) {
      view.not_increasing |= tree.node(reached.node).to.begin <= dependency.source;
      continue;
    }
    view.increasing = true;
    view.wanted = view.wanted || tree.find(dependency.sink_thread) == nullptr;
  }
  return view;
}

HappensBeforeForest::Counts HappensBeforeForest::counts() const {
  Counts counts = counts_;
  counts.most_skipped = std::max(counts.most_skipped, counts.skipped - skipped_by_felled_);
  return counts;
}

void HappensBeforeForest::capture(const Dependency& dependency, const BlockRef& from,
                                  const BlockRef& to) {
  const Node node{dependency.sink_thread, dependency.sink, dependency, from, to, 0, 0};
  const std::uint64_t before = counts_.captured;
  // The lists of other threads grow meanwhile, this one does not.
  for (const Reached& reached : threads_[dependency.source_thread].reached_by) {
    if (reached.arrival > dependency.source) continue;
    Tree& tree = trees_[reached.tree];
    if (tree.find(dependency.sink_thread) != nullptr) continue;
    ++counts_.captured;
    if (tree.node(reached.node).to != from) ++counts_.program_order;
    add(reached.tree, node);
    ++captured_now_;
  }
  counts_.most_captured = std::max(counts_.most_captured, captured_now_);
  skip(dependency.sink_thread, counts_.captured - before);
}

}  // namespace omnium
