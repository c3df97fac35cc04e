// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: Replica::add
// functions: all
// A number is kept in three replicas, and the majority counts. Adding reads a replica in one
// critical section and writes it in another. A single lost update does no harm; the wrong exit
// status shows only if an update is lost in two replicas.
#include <mutex>
#include <thread>

class Replica {
 public:
  int get() {
    std::lock_guard lock(mutex_);
    return value_;
  }
  void set(int value) {
    std::lock_guard lock(mutex_);
    value_ = value;
  }
  void add(int amount) {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    value_ += amount;
#else
    set(get() + amount);
#endif
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
};

Replica replicas[3];

void add_to_all(int amount) {
  replicas[0].get();
  for (Replica& replica : replicas) replica.add(amount);
}

int main() {
  std::thread first(add_to_all, 1);
  std::thread second(add_to_all, 2);
  first.join();
  second.join();
  int right = 0;
  for (Replica& replica : replicas) right += replica.get() == 3;
  return right >= 2 ? 0 : 1;
}
