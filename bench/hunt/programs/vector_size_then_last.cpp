// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: last
// The last element of a vector is found by its size and then by that index, in two critical
// sections. It shows if the vector is made shorter in between: at() throws, and nobody catches it.
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

std::mutex mutex;
std::vector<int> values{1, 2, 3};

int last() {
  OMNIUM_ATOMIC("last");
#ifdef FIXED
  std::lock_guard lock(mutex);
  return values.at(values.size() - 1);
#else
  std::size_t size;
  {
    std::lock_guard lock(mutex);
    size = values.size();
  }
  std::lock_guard lock(mutex);
  return values.at(size - 1);
#endif
}

void drop_last() {
  OMNIUM_ATOMIC("drop_last");
  std::lock_guard lock(mutex);
  values.pop_back();
}

int main() {
  std::thread reader(last);
  std::thread writer(drop_last);
  reader.join();
  writer.join();
}
