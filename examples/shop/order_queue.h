// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A bounded queue between the customers and the clerks.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "order.h"

class OrderQueue {
 public:
  explicit OrderQueue(std::size_t capacity) : capacity_(capacity) {}

  void push(std::unique_ptr<Order> order);
  std::unique_ptr<Order> pop();  // null when the queue is closed and empty
  void close();

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::deque<std::unique_ptr<Order>> orders_;
  bool closed_ = false;
};
