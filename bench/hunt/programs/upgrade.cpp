// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: load_page
// A page is looked for with the shared side of a lock and loaded with the exclusive side; in
// between, no side is held. It shows if two threads look before either loads.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <omnium/atomic.h>

std::shared_mutex mutex;
bool loaded;
int loads;

void load_page() {
  OMNIUM_ATOMIC("load_page");
#ifdef FIXED
  std::unique_lock lock(mutex);
  if (loaded) return;
#else
  {
    std::shared_lock lock(mutex);
    if (loaded) return;
  }
  std::unique_lock lock(mutex);
#endif
  loaded = true;
  ++loads;
}

int main() {
  std::thread first(load_page);
  std::thread second(load_page);
  first.join();
  second.join();
  assert(loads == 1);
}
