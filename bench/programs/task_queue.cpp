// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Quicksort by a task queue: a task is a range; a worker splits it in two tasks or sorts it. SIZE
// is the number of elements.
//
// expect: nothing
// arguments: 3 60
// predict: nothing certain
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "kernel.h"

namespace {

struct Range {
  std::size_t first, last;
};

class TaskQueue {
 public:
  void push(Range range) {
    OMNIUM_ATOMIC("push");
    std::lock_guard lock(mutex_);
    tasks_.push_back(range);
    unfinished_ += 1;
    changed_.notify_one();
  }

  // False when nothing is left to do.
  bool pop(Range* range) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !tasks_.empty() || unfinished_ == 0; });
    OMNIUM_ATOMIC("pop");
    if (tasks_.empty()) return false;
    *range = tasks_.back();
    tasks_.pop_back();
    return true;
  }

  void finish() {
    OMNIUM_ATOMIC("finish");
    std::lock_guard lock(mutex_);
    unfinished_ -= 1;
    if (unfinished_ == 0) changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Range> tasks_;
  std::size_t unfinished_ = 0;
};

using Numbers = std::vector<std::uint32_t>;

std::size_t partition(Numbers& numbers, Range range) {
  OMNIUM_ATOMIC("partition");
  const std::size_t middle = range.first + (range.last - range.first) / 2;
  std::swap(numbers[middle], numbers[range.last - 1]);
  const std::uint32_t pivot = numbers[range.last - 1];
  std::size_t border = range.first;
  for (std::size_t at = range.first; at + 1 < range.last; ++at) {
    if (numbers[at] < pivot) std::swap(numbers[at], numbers[border++]);
  }
  std::swap(numbers[border], numbers[range.last - 1]);
  return border;
}

void sort_small(Numbers& numbers, Range range) {
  OMNIUM_ATOMIC("sort small");
  for (std::size_t at = range.first + 1; at < range.last; ++at) {
    const std::uint32_t number = numbers[at];
    std::size_t hole = at;
    for (; hole > range.first && numbers[hole - 1] > number; --hole) {
      numbers[hole] = numbers[hole - 1];
    }
    numbers[hole] = number;
  }
}

void work(Numbers& numbers, TaskQueue& queue) {
  Range range{};
  while (queue.pop(&range)) {
    if (range.last - range.first <= 32) {
      sort_small(numbers, range);
    } else {
      const std::size_t border = partition(numbers, range);
      queue.push({range.first, border});
      queue.push({border + 1, range.last});
    }
    queue.finish();
  }
}

}  // namespace

int main(int count, char** values) {
  const auto [threads, size] = arguments(count, values, 1'500'000);
  Numbers numbers(static_cast<std::size_t>(size));
  Random random(1);
  for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random.below(1u << 31));
  TaskQueue queue;
  queue.push({0, numbers.size()});
  run_threads(threads, [&](int) { work(numbers, queue); });
  if (!std::is_sorted(numbers.begin(), numbers.end())) return 1;
  std::uint64_t sum = 0;
  for (const std::uint32_t number : numbers) sum = mix(sum, number);
  return print_checksum(sum);
}
