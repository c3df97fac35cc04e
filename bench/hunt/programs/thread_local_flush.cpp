// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: flush
// Each thread counts for itself and adds its count to the total when it ends, in the destructor of
// a thread-local object, by a read and a write in two critical sections. It shows if two threads
// end at the same time.
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

std::mutex mutex;
long total;

long read_total() {
  std::lock_guard lock(mutex);
  return total;
}

void write_total(long value) {
  std::lock_guard lock(mutex);
  total = value;
}

class LocalCount {
 public:
  ~LocalCount() {
    OMNIUM_ATOMIC("flush");
#ifdef FIXED
    std::lock_guard lock(mutex);
    total += count_;
#else
    write_total(read_total() + count_);
#endif
  }
  void add() { ++count_; }

 private:
  long count_ = 0;
};

thread_local LocalCount count;

int main() {
  std::thread first([] { count.add(); });
  std::thread second([] { count.add(); });
  first.join();
  second.join();
  return total == 2 ? 0 : 1;
}
