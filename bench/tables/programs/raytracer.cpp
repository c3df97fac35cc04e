// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a picture, and a checksum that each thread adds to under a lock of its own: a real bug.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Scene {
 public:
  // Not atomic: the lock is another one for each thread.
  void add(long value, std::mutex& mutex) {
    const std::lock_guard guard(mutex);
    const long before = checksum_;
    std::this_thread::yield();
    checksum_ = before + value;
  }
  long trace(int x, int y) const {
    long colour = 0;
    for (int i = 1; i < 8; ++i) colour += (x * i + y * y / i) % 255;
    return colour;
  }
  // Not atomic for the same reason.
  void render(int row, int width, std::mutex& mutex) {
    long sum = 0;
    for (int x = 0; x < width; ++x) sum += trace(x, row);
    add(sum, mutex);
  }

 private:
  volatile long checksum_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int rows = argc > 2 ? std::atoi(argv[2]) : 60;
  Scene scene;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      std::mutex mutex;
      for (int row = t; row < rows; row += threads) scene.render(row, 40, mutex);
    });
  }
  for (std::thread& thread : all) thread.join();
}
