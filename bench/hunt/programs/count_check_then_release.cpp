// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: release
// A reference is given back by a look at the count and a subtraction. It shows if two threads give
// back the last two references at the same time: both see 2, and nobody frees the object.
#include <atomic>
#include <thread>

#include <omnium/atomic.h>

std::atomic<int> references{2};
std::atomic<bool> freed{false};

void release() {
  OMNIUM_ATOMIC("release");
#ifdef FIXED
  if (references.fetch_sub(1) == 1) freed.store(true);
#else
  if (references.load() == 1) {
    freed.store(true);
  } else {
    references.fetch_sub(1);
  }
#endif
}

int main() {
  std::thread first(release);
  std::thread second(release);
  first.join();
  second.join();
  return freed.load() ? 0 : 1;
}
