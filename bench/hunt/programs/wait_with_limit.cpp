// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: assertion
// A thread waits for a reply, but not for ever, and does not look why it was woken. It shows if the
// reply takes longer than the limit.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool replied;

void await_reply() {
  std::unique_lock lock(mutex);
#ifdef FIXED
  while (!replied) changed.wait_for(lock, std::chrono::milliseconds(200));
#else
  if (!replied) changed.wait_for(lock, std::chrono::milliseconds(200));
#endif
  assert(replied);
}

void reply() {
  std::lock_guard lock(mutex);
  replied = true;
  changed.notify_one();
}

int main() {
  std::thread server(reply);
  std::thread client(await_reply);
  server.join();
  client.join();
}
