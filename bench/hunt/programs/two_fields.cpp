// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: Range::move
// functions: all
// The two ends of a range are moved in two critical sections. It shows if a reader comes in
// between: the range ends before it begins.
#include <cassert>
#include <mutex>
#include <thread>

class Range {
 public:
  void move(int by) {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    begin_ += by;
    end_ += by;
#else
    move_begin(by);
    move_end(by);
#endif
  }
  int length() {
    std::lock_guard lock(mutex_);
    return end_ - begin_;
  }
  bool contains(int value) {
    std::lock_guard lock(mutex_);
    return begin_ <= value && value < end_;
  }
  void move_begin(int by) {
    std::lock_guard lock(mutex_);
    begin_ += by;
  }
  void move_end(int by) {
    std::lock_guard lock(mutex_);
    end_ += by;
  }

 private:
  std::mutex mutex_;
  int begin_ = 0;
  int end_ = 10;
};

Range range;

int main() {
  std::thread mover([] {
    range.length();
    range.move(20);
  });
  std::thread reader([] {
    range.contains(15);
    assert(range.length() >= 0);
  });
  mover.join();
  reader.join();
}
