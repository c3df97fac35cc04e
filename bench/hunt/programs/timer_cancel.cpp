// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: call_back
// A timer looks whether it was cancelled and then calls back. It shows if it is cancelled in
// between: the callback uses an object that its owner has closed.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

std::mutex mutex;
std::atomic<bool> cancelled{false};
std::atomic<bool> closed{false};

void call_back() {
  OMNIUM_ATOMIC("call_back");
  assert(!closed.load());
  assert(!closed.load());
}

void fire() {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  if (!cancelled.load()) call_back();
}

void close() {
  {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    cancelled.store(true);
  }
  closed.store(true);
}

int main() {
  std::thread timer(fire);
  std::thread owner([] { close(); });
  timer.join();
  owner.join();
}
