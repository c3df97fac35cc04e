// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A log of a web server: lines are numbered in one critical section and stored in another.
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

class Log {
 public:
  int next_number() {
    const std::lock_guard guard(numbers_);
    return ++last_;
  }
  void store(int number, const std::string& text) {
    const std::lock_guard guard(lines_mutex_);
    lines_.push_back(std::to_string(number) + text);
  }
  // Not atomic: lines are stored in another order than they are numbered.
  void add(const std::string& text) {
    const int number = next_number();
    store(number, text);
  }

 private:
  std::mutex numbers_, lines_mutex_;
  int last_ = 0;
  std::vector<std::string> lines_;
};

void serve(Log& log, int thread, int requests) {
  for (int i = 0; i < requests; ++i) {
    log.add(" GET /" + std::to_string(thread * 1000 + i));
    std::this_thread::yield();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int requests = argc > 2 ? std::atoi(argv[2]) : 100;
  Log log;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) all.emplace_back([&, t] { serve(log, t, requests); });
  for (std::thread& thread : all) thread.join();
}
