// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: Ring::put
// functions: all
// A ring buffer looks whether it is full in one critical section and puts in another. It shows if
// two producers see the last free place: the ring holds more than it has room for.
#include <cassert>
#include <mutex>
#include <thread>

class Ring {
 public:
  bool put(int value) {
#ifndef FIXED
    if (full()) return false;
#endif
    std::lock_guard lock(mutex_);
#ifdef FIXED
    if (used_ == kPlaces) return false;
#endif
    places_[(first_ + used_) % kPlaces] = value;
    ++used_;
    assert(used_ <= kPlaces);
    return true;
  }
  bool full() {
    std::lock_guard lock(mutex_);
    return used_ == kPlaces;
  }

 private:
  static constexpr int kPlaces = 4;
  std::mutex mutex_;
  int places_[kPlaces] = {1, 2, 3};
  int first_ = 0;
  int used_ = kPlaces - 1;
};

Ring ring;

void produce(int value) {
  ring.full();
  ring.put(value);
}

int main() {
  std::thread first(produce, 4);
  std::thread second(produce, 5);
  first.join();
  second.join();
}
