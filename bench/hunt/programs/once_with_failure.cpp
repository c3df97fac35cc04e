// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: open_device
// A device is opened by whoever comes first, and the first attempt fails. Who comes second takes
// the device for open. It shows if the second thread comes between the mark of the first one and
// its failure.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

std::mutex mutex;
std::atomic<bool> opened{false};
std::atomic<int> attempts{0};
std::atomic<int> handle{0};

bool try_to_open() {
  if (attempts.fetch_add(1) == 0) return false;
  handle.store(3);
  return true;
}

bool open_device() {
  OMNIUM_ATOMIC("open_device");
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  if (opened.exchange(true)) {
    assert(handle.load() == 3);
    return true;
  }
  if (try_to_open()) return true;
  opened.store(false);
  return false;
}

int main() {
  std::thread first(open_device);
  std::thread second(open_device);
  first.join();
  second.join();
}
