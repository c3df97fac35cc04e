// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Dining philosophers: a table with one lock, so eating is atomic and thinking is alone.
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Table {
 public:
  explicit Table(int seats) : taken_(seats, false) {}
  void take(int seat) {
    std::unique_lock guard(mutex_);
    const int next = (seat + 1) % static_cast<int>(taken_.size());
    free_.wait(guard, [&] { return !taken_[seat] && !taken_[next]; });
    taken_[seat] = taken_[next] = true;
  }
  void put(int seat) {
    const std::lock_guard guard(mutex_);
    taken_[seat] = taken_[(seat + 1) % taken_.size()] = false;
    free_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable free_;
  std::vector<bool> taken_;
};

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 5;
  const int meals = argc > 2 ? std::atoi(argv[2]) : 30;
  Table table(threads);
  std::vector<std::thread> all;
  for (int seat = 0; seat < threads; ++seat) {
    all.emplace_back([&, seat] {
      for (int i = 0; i < meals; ++i) {
        table.take(seat);
        table.put(seat);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
}
