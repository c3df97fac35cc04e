// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "order_queue.h"

#include <utility>

#include "annotations.h"

// Correct: who waits gives way on purpose, and looks again afterwards.
void OrderQueue::push(std::unique_ptr<Order> order) {
  OMNIUM_ATOMIC("OrderQueue::push");
  std::unique_lock lock(mutex_);
  while (orders_.size() == capacity_) not_full_.wait(lock);
  orders_.push_back(std::move(order));
  not_empty_.notify_one();
}

std::unique_ptr<Order> OrderQueue::pop() {
  OMNIUM_ATOMIC("OrderQueue::pop");
  std::unique_lock lock(mutex_);
  not_empty_.wait(lock, [this] { return !orders_.empty() || closed_; });
  if (orders_.empty()) return nullptr;
  std::unique_ptr<Order> order = std::move(orders_.front());
  orders_.pop_front();
  not_full_.notify_one();
  return order;
}

void OrderQueue::close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  not_empty_.notify_all();
}
