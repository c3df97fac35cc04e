// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The forest of Davida: a happens-before tree HBT_w for each thread w that is inside a transaction.
// Its root is that transaction; each other node is the first event of some thread that the root
// reaches along CHB, with the dependency by which it was reached. So a tree has one node per thread
// it reaches, and the map M_w finds it.
//
// Trees exist for open transactions only and are reused without allocation. A tree is as large as
// what it reaches, not as there are threads; each thread knows the trees that reach it, so a
// dependency touches these and no others.
#pragma once

#include <cstdint>
#include <vector>

#include "event/event.h"
#include "finding/finding.h"
#include "support/id.h"

namespace omnium {

class HappensBeforeForest {
 public:
  struct Node {
    ThreadId thread;
    EventIndex arrival;      // e_p: the first event of the thread that the root reaches
    Dependency dependency;   // by which it was reached; the root has none
    BlockRef from, to;       // the transactions of its source and its sink
    std::uint32_t place;     // in the map
    std::uint32_t position;  // in the thread's list of trees that reach it
  };

  void grow_to(std::uint32_t threads) { threads_.grow_to(threads); }

  // A transaction of t begins, and ends.
  void plant(const BlockRef& transaction);
  void fell(ThreadId t);

  // Some tree has a node of u.
  bool reached(ThreadId u) const { return !threads_[u].reached_by.empty(); }
  // M_w(u), where w is inside a transaction; nullptr if undefined.
  const Node* find(ThreadId w, ThreadId u) const { return trees_[threads_[w].tree].find(u); }

  // What the trees make of a dependency.
  struct View {
    bool wanted = false;          // some tree has to keep it
    bool increasing = false;      // it goes on from where a tree has arrived
    bool not_increasing = false;  // a tree reaches its source's transaction, but only later
  };
  View view(const Dependency& dependency) const;
  // Each dependency is either skipped by all trees, or captured: added to every tree that reaches
  // its source and nothing of its sink's thread, and skipped by the others. `from` and `to` are the
  // transactions of source and sink.
  void skip(ThreadId sink) { skip(sink, 0); }
  void capture(const Dependency& dependency, const BlockRef& from, const BlockRef& to);

  struct Counts {
    std::uint64_t captured = 0;       // once per tree
    std::uint64_t program_order = 0;  // of these, from a later transaction than the tree's node
    std::uint64_t most_captured = 0;  // at one time, in all trees
    std::uint64_t most_trees = 0;
    std::uint64_t skipped = 0;       // once per tree other than that of the sink
    std::uint64_t most_skipped = 0;  // by the trees that there were at one time
  };
  Counts counts() const;

 private:
  using TreeIndex = std::uint32_t;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  class Tree {
   public:
    const Node* find(ThreadId u) const {
      std::size_t i = u.v & (map_.size() - 1);
      for (; map_[i] != kNone; i = (i + 1) & (map_.size() - 1)) {
        if (nodes_[map_[i]].thread == u) return &nodes_[map_[i]];
      }
      return nullptr;
    }
    // The number of the new node.
    std::uint32_t add(const Node& node);
    void clear();
    const std::vector<Node>& nodes() const { return nodes_; }
    Node& node(std::uint32_t number) { return nodes_[number]; }
    const Node& node(std::uint32_t number) const { return nodes_[number]; }

    std::uint64_t seen_before = 0;  // dependencies, when it was planted; and those into its thread
    std::uint64_t into_before = 0;

   private:
    void place(std::uint32_t number);

    std::vector<Node> nodes_;  // the root first
    // M_w: a hash table over thread ids, at most half full; the identity hashes dense ids well.
    std::vector<std::uint32_t> map_ = std::vector<std::uint32_t>(8, kNone);
  };
  struct Reached {
    EventIndex arrival;
    TreeIndex tree;
    std::uint32_t node;
  };
  struct Thread {
    TreeIndex tree = kNone;  // while inside a transaction
    std::uint64_t into = 0;  // dependencies so far
    std::vector<Reached> reached_by;
  };

  void add(TreeIndex tree, const Node& node);
  void skip(ThreadId sink, std::uint64_t captured) {
    Thread& thread = threads_[sink];
    ++thread.into;
    ++seen_;
    counts_.skipped += open_trees_ - (thread.tree != kNone) - captured;
  }

  IdTable<ThreadId, Thread> threads_;
  std::vector<Tree> trees_;
  std::vector<TreeIndex> free_trees_;
  std::uint64_t captured_now_ = 0;
  std::uint64_t open_trees_ = 0;
  std::uint64_t skipped_by_felled_ = 0;  // trees
  std::uint64_t seen_ = 0;         // dependencies
  Counts counts_;
};

}  // namespace omnium
