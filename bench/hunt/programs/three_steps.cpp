// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: assertion
// A valve is opened for a moment by one thread; a second thread arms an alarm if it sees it open, a
// third one sets it off if it is armed and the valve is still open. It shows only if the second and
// the third thread come, in this order, while the first one is in the middle.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> open{false};
std::atomic<bool> armed{false};

void open_briefly() {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  open.store(true);
  open.store(false);
}

void arm() {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  if (open.load()) armed.store(true);
}

void watch() {
#ifdef FIXED
  std::lock_guard lock(mutex);
#endif
  const bool is_armed = armed.load();
  assert(!is_armed || !open.load());
}

int main() {
  std::thread keeper(open_briefly);
  std::thread guard(arm);
  std::thread watchman(watch);
  keeper.join();
  guard.join();
  watchman.join();
}
