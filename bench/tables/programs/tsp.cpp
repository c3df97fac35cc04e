// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Branch and bound: the bound is read without its lock, and improved under it.
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kCities = 8;

int distance(int a, int b) { return (a * 13 + b * 29) % 23 + 1 + (a > b ? a - b : b - a); }

class Search {
 public:
  int bound() const { return bound_.load(); }
  void improve(int length) {
    const std::lock_guard guard(mutex_);
    if (length < bound_.load()) bound_.store(length);
  }
  int next_start() {
    const std::lock_guard guard(mutex_);
    return next_ < kCities ? next_++ : -1;
  }
  // Not atomic: the bound changes while it searches, which does no harm.
  void extend(std::vector<int>& tour, unsigned visited, int length) {
    if (length >= bound()) return;
    if (static_cast<int>(tour.size()) == kCities) {
      return improve(length + distance(tour.back(), tour.front()));
    }
    for (int city = 0; city < kCities; ++city) {
      if ((visited >> city & 1) != 0) continue;
      const int step = distance(tour.back(), city);
      tour.push_back(city);
      extend(tour, visited | 1u << city, length + step);
      tour.pop_back();
    }
  }

 private:
  std::mutex mutex_;
  std::atomic<int> bound_{1 << 20};
  int next_ = 0;
};

void solve(Search& search) {
  for (int start; (start = search.next_start()) >= 0;) {
    std::vector<int> tour{start};
    search.extend(tour, 1u << start, 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int searches = argc > 2 ? std::atoi(argv[2]) : 1;
  for (int i = 0; i < searches; ++i) {
    Search search;
    std::vector<std::thread> all;
    for (int j = 0; j < threads; ++j) all.emplace_back([&] { solve(search); });
    for (std::thread& thread : all) thread.join();
  }
}
