// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A few connections to the bank, which everybody uses in turn.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

class Connection {
 public:
  void send(long request);
  long reply();

 private:
  std::mutex mutex_;
  long reply_ = 0;
};

class ConnectionPool {
 public:
  explicit ConnectionPool(int connections);

  Connection& acquire();  // waits for a free one; the last one that was given back comes first
  void release(Connection& connection);

 private:
  std::mutex mutex_;
  std::condition_variable some_free_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<Connection*> free_;
};
