// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A multiset with a lock per slot: insertion of two elements takes the locks one after the other.
#include <array>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Multiset {
 public:
  void insert(int value) {
    Slot& slot = slots_[value % slots_.size()];
    const std::lock_guard guard(slot.mutex);
    ++slot.count;
  }
  bool erase(int value) {
    Slot& slot = slots_[value % slots_.size()];
    const std::lock_guard guard(slot.mutex);
    if (slot.count == 0) return false;
    --slot.count;
    return true;
  }
  // Not atomic: others see the first element without the second.
  void insert_pair(int first, int second) {
    insert(first);
    insert(second);
  }
  // Not atomic: it counts slot by slot.
  int size() {
    int sum = 0;
    for (Slot& slot : slots_) {
      const std::lock_guard guard(slot.mutex);
      sum += slot.count;
    }
    return sum;
  }

 private:
  struct Slot {
    std::mutex mutex;
    int count = 0;
  };
  std::array<Slot, 8> slots_;
};

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 100;
  Multiset set;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        set.insert_pair(i + t, i + t + 3);
        set.erase(i);
        if (i % 10 == 0) set.size();
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : all) thread.join();
}
