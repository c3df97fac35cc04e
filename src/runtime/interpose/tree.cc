// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The functions of libstdc++ behind std::map and std::set. They are in the library, where nobody
// sees what they read and write: what has changed afterwards was written.
#include <cstdint>

#include "runtime/interpose/real.h"
#include "runtime/interpose/touched.h"

namespace omnium::runtime {

// As in <bits/stl_tree.h>. The head of a tree is one, too: the root is its parent.
struct TreeNode {
  int colour;
  TreeNode *parent, *left, *right;
};

namespace {

using Rebalance = TreeNode*(TreeNode*, TreeNode&);
OMNIUM_REAL_AS(real_insert, void(bool, TreeNode*, TreeNode*, TreeNode&),
               "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
OMNIUM_REAL_AS(real_erase, Rebalance,
               "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
OMNIUM_REAL_AS(real_increment, TreeNode*(TreeNode*),
               "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
OMNIUM_REAL_AS(real_decrement, TreeNode*(TreeNode*),
               "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
OMNIUM_REAL_AS(real_const_increment, const TreeNode*(const TreeNode*),
               "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
OMNIUM_REAL_AS(real_const_decrement, const TreeNode*(const TreeNode*),
               "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");

// Twice the logarithm of the number of nodes that fit into memory.
constexpr int kMostLevels = 96;

template <typename T>
void tell_read(const T& field, Pc pc) {
  library_reads(&field, sizeof(field), pc);
}
template <typename T>
void tell_if_written(const T& before, const T& now, Pc pc) {
  if (before != now) library_writes(&now, sizeof(now), pc);
}

// The nodes that an operation may change, as they were before it.
class Family {
 public:
  // The node, and so many generations below it.
  void add(TreeNode* node, int generations) {
    if (node == nullptr || count_ == kMost) return;
    kept_[count_++] = {node, *node};
    if (generations == 0) return;
    add(node->left, generations - 1);
    add(node->right, generations - 1);
  }
  // The same of all nodes above it, and the head.
  void add_line(TreeNode* node, TreeNode& head, int generations) {
    for (int i = 0; i < kMostLevels && node != nullptr && node != &head; ++i) {
      add(node, generations);
      node = node->parent;
    }
    add(&head, 0);
  }
  void tell_changes(Pc pc) const {
    for (int i = 0; i < count_; ++i) {
      const TreeNode &before = kept_[i].before, &now = *kept_[i].node;
      tell_if_written(before.colour, now.colour, pc);
      tell_if_written(before.parent, now.parent, pc);
      tell_if_written(before.left, now.left, pc);
      tell_if_written(before.right, now.right, pc);
    }
  }

 private:
  static constexpr int kMost = kMostLevels * 7;
  struct Kept {
    TreeNode* node;
    TreeNode before;
  };
  Kept kept_[kMost];
  int count_ = 0;
};

void tell_step(const TreeNode* node, Pc pc, TreeNode* TreeNode::*towards,
               TreeNode* TreeNode::*away) {
  tell_read(node->*towards, pc);
  if (const TreeNode* below = node->*towards) {
    for (int i = 0; i < kMostLevels && below != nullptr; ++i, below = below->*away) {
      tell_read(below->*away, pc);
    }
    return;
  }
  for (int i = 0; i < kMostLevels; ++i) {
    const TreeNode* const above = node->parent;
    tell_read(node->parent, pc);
    if (above == nullptr || above->*towards != node) return;
    node = above;
  }
}

void tell_increment(const TreeNode* node, Pc pc) {
  tell_step(node, pc, &TreeNode::right, &TreeNode::left);
}
void tell_decrement(const TreeNode* node, Pc pc) {
  tell_step(node, pc, &TreeNode::left, &TreeNode::right);
}

}  // namespace

OMNIUM_INTERPOSE void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    bool left, TreeNode* node, TreeNode* parent, TreeNode& head) {
  const Pc pc = OMNIUM_USER_PC();
  if (!is_instrumented_code(pc)) return real_insert(left, node, parent, head);
  Family family;
  family.add_line(parent, head, 1);
  real_insert(left, node, parent, head);
  library_writes(node, sizeof(*node), pc);
  family.tell_changes(pc);
}

OMNIUM_INTERPOSE TreeNode* _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
    TreeNode* node, TreeNode& head) {
  const Pc pc = OMNIUM_USER_PC();
  if (!is_instrumented_code(pc)) return real_erase(node, head);
  // If it has two children, the next node takes its place, and leaves its own.
  TreeNode* leaving = node;
  if (node->left != nullptr && node->right != nullptr) {
    leaving = node->right;
    for (int i = 0; i < kMostLevels && leaving->left != nullptr; ++i) leaving = leaving->left;
  }
  Family family;
  family.add_line(leaving, head, 2);
  TreeNode* const erased = real_erase(node, head);
  family.tell_changes(pc);
  return erased;
}

OMNIUM_INTERPOSE TreeNode* _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(TreeNode* node) {
  tell_increment(node, OMNIUM_USER_PC());
  return real_increment(node);
}
OMNIUM_INTERPOSE const TreeNode* _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(
    const TreeNode* node) {
  tell_increment(node, OMNIUM_USER_PC());
  return real_const_increment(node);
}
OMNIUM_INTERPOSE TreeNode* _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(TreeNode* node) {
  tell_decrement(node, OMNIUM_USER_PC());
  return real_decrement(node);
}
OMNIUM_INTERPOSE const TreeNode* _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(
    const TreeNode* node) {
  tell_decrement(node, OMNIUM_USER_PC());
  return real_const_decrement(node);
}

}  // namespace omnium::runtime
