// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// contains_then_add.cpp mended: the container has one method that looks and takes under one lock.
//
// expect: nothing
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

class Seats {
 public:
  bool add_if_absent(int seat, int customer) {
    std::lock_guard lock(mutex_);
    if (owner_[seat] != 0) return false;
    owner_[seat] = customer;
    return true;
  }

 private:
  std::mutex mutex_;
  int owner_[64] = {};  // 0 is nobody
};

Seats seats;
std::atomic<int> sold{0};

bool reserve(int seat, int customer) {
  OMNIUM_ATOMIC("reserve");
  return seats.add_if_absent(seat, customer);
}

int main() {
  std::vector<std::thread> customers;
  for (int customer = 1; customer <= 4; ++customer) {
    customers.emplace_back([customer] {
      for (int seat = 0; seat < 64; ++seat) {
        if (reserve(seat, customer)) sold.fetch_add(1);
      }
    });
  }
  for (std::thread& customer : customers) customer.join();
  return sold == 64 ? 0 : 1;
}
