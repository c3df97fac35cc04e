// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: take_connection
// A pool is asked how many connections are free, and then one is taken. It shows if two threads ask
// while a single one is left.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

std::mutex mutex;
std::vector<int> connections{3};

std::size_t free_connections() {
  std::lock_guard lock(mutex);
  return connections.size();
}

int take_connection() {
  OMNIUM_ATOMIC("take_connection");
#ifndef FIXED
  if (free_connections() == 0) return -1;
#endif
  std::lock_guard lock(mutex);
#ifdef FIXED
  if (connections.empty()) return -1;
#endif
  assert(!connections.empty());
  const int connection = connections.back();
  connections.pop_back();
  return connection;
}

void give_back(int connection) {
  OMNIUM_ATOMIC("give_back");
  if (connection < 0) return;
  std::lock_guard lock(mutex);
  connections.push_back(connection);
}

void query() { give_back(take_connection()); }

int main() {
  std::thread first(query);
  std::thread second(query);
  first.join();
  second.join();
  assert(free_connections() == 1);
}
