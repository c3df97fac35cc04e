// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A bounded buffer with conditions: put and take wait, so they are cut there, and are atomic.
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Buffer {
 public:
  void put(int value) {
    std::unique_lock guard(mutex_);
    space_.wait(guard, [&] { return all_.size() < 4; });
    all_.push_back(value);
    items_.notify_one();
  }
  int take() {
    std::unique_lock guard(mutex_);
    items_.wait(guard, [&] { return !all_.empty(); });
    const int value = all_.front();
    all_.pop_front();
    space_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable space_, items_;
  std::deque<int> all_;
};

}  // namespace

int main(int argc, char** argv) {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 2;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 100;
  Buffer buffer;
  std::vector<std::thread> all;
  for (int i = 0; i < pairs; ++i) {
    all.emplace_back([&] {
      for (int n = 0; n < rounds; ++n) buffer.put(n);
    });
    all.emplace_back([&] {
      for (int n = 0; n < rounds; ++n) buffer.take();
    });
  }
  for (std::thread& thread : all) thread.join();
}
