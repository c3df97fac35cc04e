// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A crawler: tasks from a pool, results into a list, and a flag that cancels. All of it is atomic.
#include <atomic>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

class Pool {
 public:
  void add(int task) {
    const std::lock_guard guard(mutex_);
    tasks_.push_back(task);
  }
  int take() {
    const std::lock_guard guard(mutex_);
    if (tasks_.empty()) return -1;
    const int task = tasks_.front();
    tasks_.pop_front();
    return task;
  }

 private:
  std::mutex mutex_;
  std::deque<int> tasks_;
};

class Results {
 public:
  void add(std::string text) {
    const std::lock_guard guard(mutex_);
    all_.push_back(std::move(text));
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> all_;
};

std::atomic<bool> cancelled{false};

std::string download(int task) {
  std::string page;
  for (int i = 0; i < 20; ++i) page += static_cast<char>('a' + (task + i) % 26);
  return page;
}

void crawl(Pool& pool, Results& results) {
  for (int task; !cancelled && (task = pool.take()) >= 0;) results.add(download(task));
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 3;
  const int tasks = argc > 2 ? std::atoi(argv[2]) : 300;
  Pool pool;
  Results results;
  for (int i = 0; i < tasks; ++i) pool.add(i);
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back([&] { crawl(pool, results); });
  for (std::thread& thread : all) thread.join();
  cancelled = true;
}
