// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "connection_pool.h"

#include "annotations.h"

void Connection::send(long request) {
  std::lock_guard lock(mutex_);
  reply_ = request + 1;  // The bank is quick, and says yes to everything.
}

long Connection::reply() {
  std::lock_guard lock(mutex_);
  return reply_;
}

ConnectionPool::ConnectionPool(int connections) {
  for (int i = 0; i < connections; ++i) {
    connections_.push_back(std::make_unique<Connection>());
    free_.push_back(connections_.back().get());
  }
}

// Correct: waits in a loop, and takes the connection in the critical section that found it free.
Connection& ConnectionPool::acquire() {
  OMNIUM_ATOMIC("ConnectionPool::acquire");
  std::unique_lock lock(mutex_);
  while (free_.empty()) some_free_.wait(lock);
  Connection& connection = *free_.back();
  free_.pop_back();
  return connection;
}

void ConnectionPool::release(Connection& connection) {
  OMNIUM_ATOMIC("ConnectionPool::release");
  std::lock_guard lock(mutex_);
  free_.push_back(&connection);
  some_free_.notify_one();
}
