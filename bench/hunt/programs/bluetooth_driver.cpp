// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: request
// A driver counts pending requests and is stopped when the last one ends. A request looks whether
// the driver is stopping before it counts itself. It shows if the driver stops in between: the
// request then runs on a stopped driver.
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

#include <omnium/atomic.h>

std::atomic<int> pending{1};  // one for the driver itself
std::atomic<bool> stopping{false};
std::atomic<bool> stopped{false};
std::counting_semaphore<> no_request(0);

void leave() {
  if (pending.fetch_sub(1) == 1) no_request.release();
}

bool enter() {
#ifdef FIXED
  pending.fetch_add(1);
  if (!stopping.load()) return true;
  leave();
  return false;
#else
  if (stopping.load()) return false;
  pending.fetch_add(1);
  return true;
#endif
}

void request() {
  if (!enter()) return;
  {
    OMNIUM_ATOMIC("request");
    assert(!stopped.load());
    assert(!stopped.load());
  }
  leave();
}

void stop() {
  stopping.store(true);
  leave();
  no_request.acquire();
  stopped.store(true);
}

int main() {
  std::thread user(request);
  std::thread manager(stop);
  user.join();
  manager.join();
}
