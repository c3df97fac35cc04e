// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A vector class whose methods lock: a copy asks for the size first, and then for the elements.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Vector {
 public:
  void push_back(int value) {
    const std::lock_guard guard(mutex_);
    all_.push_back(value);
  }
  void clear() {
    const std::lock_guard guard(mutex_);
    all_.clear();
  }
  int size() {
    const std::lock_guard guard(mutex_);
    return static_cast<int>(all_.size());
  }
  int at(int i) {
    const std::lock_guard guard(mutex_);
    return i < static_cast<int>(all_.size()) ? all_[i] : 0;
  }

 private:
  std::mutex mutex_;
  std::vector<int> all_;
};

// Not atomic: the elements may be gone.
int sum_of(Vector& vector) {
  int sum = 0;
  const int size = vector.size();
  for (int i = 0; i < size; ++i) sum += vector.at(i);
  return sum;
}

// Not atomic.
void replace(Vector& vector, int value) {
  vector.clear();
  vector.push_back(value);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 60;
  Vector vector;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        vector.push_back(i);
        if (i % 8 == t % 8) replace(vector, i);
        sum_of(vector);
        std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : all) thread.join();
}
