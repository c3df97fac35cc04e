// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A chained hash map with a lock per stripe of buckets: mostly look-ups, some additions to shared
// keys, and keys that one thread inserts and erases again. SIZE is the number of operations.
//
// expect: nothing
// arguments: 3 2000
// predict: nothing
#include <mutex>

#include "kernel.h"

namespace {

class Map {
 public:
  void add(std::uint64_t key, std::uint64_t amount) {
    OMNIUM_ATOMIC("Map::add");
    std::lock_guard lock(stripe_of(key));
    Node** link = find_link(key);
    if (*link == nullptr) *link = new Node{key, 0, nullptr};
    (*link)->value += amount;
  }

  bool find(std::uint64_t key, std::uint64_t* value) {
    OMNIUM_ATOMIC("Map::find");
    std::lock_guard lock(stripe_of(key));
    const Node* node = *find_link(key);
    if (node == nullptr) return false;
    *value = node->value;
    return true;
  }

  bool erase(std::uint64_t key) {
    OMNIUM_ATOMIC("Map::erase");
    std::lock_guard lock(stripe_of(key));
    Node** link = find_link(key);
    Node* node = *link;
    if (node == nullptr) return false;
    *link = node->next;
    delete node;
    return true;
  }

  std::uint64_t checksum() const {
    std::uint64_t sum = 0;
    for (const Node* node : buckets_) {
      for (; node != nullptr; node = node->next) sum += mix(node->key, node->value);
    }
    return sum;
  }

 private:
  struct Node {
    std::uint64_t key, value;
    Node* next;
  };
  struct alignas(64) Stripe {
    std::mutex mutex;
  };

  static constexpr std::size_t kBuckets = 1 << 15;
  static constexpr std::size_t kStripes = 64;

  static std::size_t bucket_of(std::uint64_t key) { return (key * 0x9e3779b97f4a7c15) >> 49; }
  std::mutex& stripe_of(std::uint64_t key) { return stripes_[bucket_of(key) % kStripes].mutex; }

  // The link that leads to the key's node, or to where it would be.
  Node** find_link(std::uint64_t key) {
    Node** link = &buckets_[bucket_of(key)];
    while (*link != nullptr && (*link)->key != key) link = &(*link)->next;
    return link;
  }

  std::vector<Node*> buckets_ = std::vector<Node*>(kBuckets);
  Stripe stripes_[kStripes];
};

constexpr std::uint64_t kSharedKeys = 50'000;

}  // namespace

int main(int count, char** values) {
  const auto [threads, size] = arguments(count, values, 4'000'000);
  Map map;
  run_threads(threads, [&, threads = threads, size = size](int thread) {
    Random random(static_cast<std::uint64_t>(thread) + 1);
    std::uint64_t value = 0, own = kSharedKeys + static_cast<std::uint64_t>(thread);
    for (long i = 0; i < size / threads; ++i) {
      const std::uint64_t key = random.below(kSharedKeys);
      if (i % 10 == 0) {
        map.add(own, 1);
      } else if (i % 10 == 1) {
        map.erase(own);
        own += 64;
      } else if (i % 10 < 4) {
        map.add(key, key);
      } else {
        map.find(key, &value);
      }
    }
  });
  return print_checksum(map.checksum());
}
