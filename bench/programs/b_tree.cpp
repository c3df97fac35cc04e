// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A B-tree with a reader-writer lock per node, taken hand over hand from the root; full nodes are
// split on the way down. Keys are spread over a few trees, so that not all threads meet at one
// root. Mostly look-ups, some insertions. SIZE is the number of operations.
//
// expect: nothing
// arguments: 3 2000
// predict: nothing
#include <algorithm>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include "kernel.h"

namespace {

constexpr std::size_t kTrees = 16;
constexpr int kMostKeys = 31;  // odd: a full node splits around its middle key

struct Node {
  std::shared_mutex mutex;
  bool is_leaf = true;
  int count = 0;
  std::uint64_t keys[kMostKeys];
  std::uint64_t values[kMostKeys];
  std::unique_ptr<Node> children[kMostKeys + 1];

  int position(std::uint64_t key) const {
    return static_cast<int>(std::lower_bound(keys, keys + count, key) - keys);
  }
  bool holds(int at, std::uint64_t key) const { return at < count && keys[at] == key; }

  void insert_at(int at, std::uint64_t key, std::uint64_t value) {
    std::move_backward(keys + at, keys + count, keys + count + 1);
    std::move_backward(values + at, values + count, values + count + 1);
    keys[at] = key;
    values[at] = value;
    ++count;
  }

  // Splits the full child at `at`; its middle key comes here. Both are locked for writing.
  void split_child(int at) {
    Node& left = *children[at];
    auto right = std::make_unique<Node>();
    constexpr int kMiddle = kMostKeys / 2;
    right->is_leaf = left.is_leaf;
    right->count = kMostKeys - kMiddle - 1;
    std::copy(left.keys + kMiddle + 1, left.keys + kMostKeys, right->keys);
    std::copy(left.values + kMiddle + 1, left.values + kMostKeys, right->values);
    if (!left.is_leaf) {
      std::move(left.children + kMiddle + 1, left.children + kMostKeys + 1, right->children);
    }
    left.count = kMiddle;
    std::move_backward(children + at + 1, children + count + 1, children + count + 2);
    children[at + 1] = std::move(right);
    insert_at(at, left.keys[kMiddle], left.values[kMiddle]);
  }
};

class Tree {
 public:
  Tree() {
    top_.is_leaf = false;
    top_.children[0] = std::make_unique<Node>();
  }

  bool find(std::uint64_t key, std::uint64_t* value) {
    OMNIUM_ATOMIC("Tree::find");
    Node* node = &top_;
    node->mutex.lock_shared();
    for (;;) {
      const int at = node->position(key);
      if (node->holds(at, key)) {
        *value = node->values[at];
        node->mutex.unlock_shared();
        return true;
      }
      Node* child = node->is_leaf ? nullptr : node->children[at].get();
      if (child != nullptr) child->mutex.lock_shared();
      node->mutex.unlock_shared();
      if (child == nullptr) return false;
      node = child;
    }
  }

  // Adds to the value of the key, which is 0 if the key is new.
  void add(std::uint64_t key, std::uint64_t amount) {
    OMNIUM_ATOMIC("Tree::add");
    Node* node = &top_;
    node->mutex.lock();
    for (;;) {
      const int at = node->position(key);
      if (node->holds(at, key)) {
        node->values[at] += amount;
        break;
      }
      if (node->is_leaf) {
        node->insert_at(at, key, amount);
        break;
      }
      node = descend(node, at);
    }
    node->mutex.unlock();
  }

  std::uint64_t checksum() const { return checksum_of(*top_.children[0], 0); }

 private:
  // From a node that is locked for writing to the child at `at`, or to the same node again if the
  // child was full and had to be split.
  static Node* descend(Node* node, int at) {
    Node* child = node->children[at].get();
    child->mutex.lock();
    const bool split = child->count == kMostKeys;
    if (split && node->count == 0) {
      grow(*node);
    } else if (split) {
      node->split_child(at);
    }
    (split ? child : node)->mutex.unlock();
    return split ? node : child;
  }

  // A new root above the old one, which is full.
  static void grow(Node& top) {
    auto root = std::make_unique<Node>();
    root->is_leaf = false;
    root->children[0] = std::move(top.children[0]);
    root->split_child(0);
    top.children[0] = std::move(root);
  }

  static std::uint64_t checksum_of(const Node& node, std::uint64_t sum) {
    for (int at = 0; at <= node.count; ++at) {
      if (!node.is_leaf) sum = checksum_of(*node.children[at], sum);
      if (at < node.count) sum = mix(mix(sum, node.keys[at]), node.values[at]);
    }
    return sum;
  }

  Node top_;  // above the root, without keys: its lock protects which node is the root
};

}  // namespace

int main(int count, char** values) {
  const auto [threads, size] = arguments(count, values, 1'000'000);
  std::vector<Tree> trees(kTrees);
  run_threads(threads, [&, threads = threads, size = size](int thread) {
    Random random(static_cast<std::uint64_t>(thread) + 1);
    std::uint64_t value = 0;
    for (long i = 0; i < size / threads; ++i) {
      const std::uint64_t key = random.below(200'000);
      Tree& tree = trees[key % kTrees];
      if (i % 8 == 0) {
        tree.add(key, key + 1);
      } else {
        tree.find(key, &value);
      }
    }
  });
  std::uint64_t sum = 0;
  for (const Tree& tree : trees) sum = mix(sum, tree.checksum());
  return print_checksum(sum);
}
