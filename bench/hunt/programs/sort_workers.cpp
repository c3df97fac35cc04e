// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: exit
// Workers sort the ranges of a shared work list, and stop when none is pending. A worker counts its
// range as done before it has put the two halves on the list. It shows if another worker looks in
// between: all workers stop, and the rest stays unsorted.
#include <algorithm>
#include <array>
#include <mutex>
#include <thread>
#include <vector>

struct Range {
  int begin;
  int end;
};

std::array<int, 16> values = {9, 3, 14, 1, 12, 7, 0, 15, 4, 11, 2, 8, 13, 6, 10, 5};

class WorkList {
 public:
  bool finished() {
    std::lock_guard lock(mutex_);
    if (pending_ == 0) finished_ = true;
    return finished_;
  }
  bool take(Range& range) {
    std::lock_guard lock(mutex_);
    if (ranges_.empty()) return false;
    range = ranges_.back();
    ranges_.pop_back();
    return true;
  }
  void put(Range range) {
    std::lock_guard lock(mutex_);
    ranges_.push_back(range);
    ++pending_;
  }
  void count_done() {
    std::lock_guard lock(mutex_);
    --pending_;
  }

 private:
  std::mutex mutex_;
  std::vector<Range> ranges_{{0, static_cast<int>(values.size())}};
  int pending_ = 1;
  bool finished_ = false;
};

WorkList list;

int split(Range range) {
  const int pivot = values[range.end - 1];
  const auto middle = std::partition(values.begin() + range.begin, values.begin() + range.end - 1,
                                     [pivot](int value) { return value < pivot; });
  std::iter_swap(middle, values.begin() + range.end - 1);
  return static_cast<int>(middle - values.begin());
}

void work() {
  while (!list.finished()) {
    Range range;
    if (!list.take(range)) {
      std::this_thread::yield();
      continue;
    }
#ifndef FIXED
    list.count_done();
#endif
    const int middle = split(range);
    if (middle - range.begin > 1) list.put({range.begin, middle});
    if (range.end - middle > 2) list.put({middle + 1, range.end});
#ifdef FIXED
    list.count_done();
#endif
  }
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  return std::is_sorted(values.begin(), values.end()) ? 0 : 1;
}
