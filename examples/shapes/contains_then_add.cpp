// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Check-then-act on a container: a seat is looked up and taken by two calls. Both customers find it
// free, and both get it.
//
// expect: reserve (with reserve), lost update on seats.owner_[3]
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "turns.h"

class Seats {
 public:
  bool contains(int seat) {
    std::lock_guard lock(mutex_);
    return owner_[seat] != 0;
  }
  void add(int seat, int customer) {
    std::lock_guard lock(mutex_);
    owner_[seat] = customer;
  }

 private:
  std::mutex mutex_;
  int owner_[8] = {};  // 0 is nobody
};

Seats seats;

template <class Pause>
bool reserve(int seat, int customer, Pause pause) {
  OMNIUM_ATOMIC("reserve");
  if (seats.contains(seat)) return false;
  pause();
  seats.add(seat, customer);
  return true;
}

int main() {
  bool first = false, second = false;
  std::thread slow([&] {
    pthread_setname_np(pthread_self(), "slow");
    first = reserve(3, 1001, [] {
      turn(1);
      turn(4);
    });
  });
  std::thread quick([&] {
    pthread_setname_np(pthread_self(), "quick");
    turn(2);
    second = reserve(3, 1002, [] {});
    turn(3);
  });
  slow.join();
  quick.join();
  if (first && second) std::printf("seat 3 was sold twice\n");
}
