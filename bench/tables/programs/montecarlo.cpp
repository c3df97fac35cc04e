// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Prices by simulation: the seed of a task and its result are two critical sections.
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Market {
 public:
  unsigned next_seed() {
    const std::lock_guard guard(mutex_);
    return seed_ = seed_ * 1664525 + 1013904223;
  }
  void add(double price) {
    const std::lock_guard guard(mutex_);
    sum_ += price;
    ++count_;
  }
  // Not atomic, and not meant to be.
  void price_stock() {
    unsigned seed = next_seed();
    double price = 100;
    for (int i = 0; i < 50; ++i) {
      seed = seed * 1664525 + 1013904223;
      price *= std::exp((seed % 2001 - 1000.0) / 1e5);
    }
    add(price);
  }

 private:
  std::mutex mutex_;
  unsigned seed_ = 1;
  double sum_ = 0;
  int count_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int tasks = argc > 2 ? std::atoi(argv[2]) : 200;
  Market market;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([&] {
      for (int task = 0; task < tasks; ++task) {
        market.price_stock();
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : all) thread.join();
}
