// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Elevators that take calls from a shared board: claiming a call is two critical sections.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Board {
 public:
  explicit Board(int floors) : calls_(floors, 0) {}
  void call(int floor) {
    const std::lock_guard guard(mutex_);
    ++calls_[floor];
  }
  bool is_called(int floor) {
    const std::lock_guard guard(mutex_);
    return calls_[floor] > 0;
  }
  void serve(int floor) {
    const std::lock_guard guard(mutex_);
    if (calls_[floor] > 0) --calls_[floor];
  }
  // Not atomic: another elevator may serve the floor in between.
  bool claim(int floor) {
    if (!is_called(floor)) return false;
    serve(floor);
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<int> calls_;
};

void ride(Board& board, int floors, int rounds, int& served) {
  for (int i = 0; i < rounds; ++i) {
    if (board.claim(i % floors)) ++served;
    std::this_thread::yield();
  }
}

void press(Board& board, int floors, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    board.call(i * 7 % floors);
    std::this_thread::yield();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 300;
  Board board(8);
  std::vector<int> served(threads);
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) {
    all.emplace_back([&, i] { ride(board, 8, rounds, served[i]); });
  }
  press(board, 8, rounds);
  for (std::thread& thread : all) thread.join();
}
