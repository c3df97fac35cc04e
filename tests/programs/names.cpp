// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Objects on the stack and on the heap, locks and threads have names that a person would use: each
// block loses an update of another kind of object.
//
// expect: member (with other member), lost update on Ledger::total_
// expect: local (with other local), lost update on counter in main
// expect: heap (with other heap), lost update on Order::count
// expect: array (with other array), lost update on Order[2].count
// expect: shared (with other shared), lost update on Order::price
// expect: element (with other element), lost update on Ledger::items_[1]
// expect: mapped (with other mapped), lost update on Entry::hits (in a map)
// shows: lock Ledger::mutex_
// shows: lambda in main#1 read Ledger::total_ (HERE:
// shows: lambda in main#1 read counter in main (HERE:
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Order {
  long number = 0;
  int count = 0;
  double price = 0;
};

struct Entry {
  long key = 0;
  int hits = 0;
};

class Ledger {
 public:
  Ledger() {
    items_.resize(4);
    entries_[1].hits = 0;
  }
  int total() {
    const std::lock_guard lock(mutex_);
    return total_;
  }
  void set_total(int total) {
    const std::lock_guard lock(mutex_);
    total_ = total;
  }
  long item(int index) {
    const std::lock_guard lock(mutex_);
    return items_[index];
  }
  void set_item(int index, long item) {
    const std::lock_guard lock(mutex_);
    items_[index] = item;
  }
  int hits(int key) {
    const std::lock_guard lock(mutex_);
    return entries_.at(key).hits;
  }
  void set_hits(int key, int hits) {
    const std::lock_guard lock(mutex_);
    entries_.at(key).hits = hits;
  }

 private:
  std::mutex mutex_;
  int total_ = 0;
  std::vector<long> items_;
  std::map<int, Entry> entries_;
};

// One thread reads and writes; the other one writes in between.
template <class Read, class Write>
void slow(int turns, const char* name, Read read, Write write) {
  OMNIUM_ATOMIC(name);
  const auto old = read();
  turn(turns + 1);
  turn(turns + 4);
  write(old + 1);
}

template <class Write>
void quick(int turns, const char* name, Write write) {
  turn(turns + 2);
  {
    OMNIUM_ATOMIC(name);
    write(7);
  }
  turn(turns + 3);
}

int main() {
  Ledger ledger;
  int counter = 0;
  std::mutex mutex;
  auto order = std::make_unique<Order>();
  auto* orders = new Order[3];
  auto shared = std::make_shared<Order>();
  const auto set_counter = [&](int value) {
    const std::lock_guard lock(mutex);
    counter = value;
  };
  const auto set_count = [&](Order& where, int value) {
    const std::lock_guard lock(mutex);
    where.count = value;
  };
  std::thread one([&] {
    slow(0, "member", [&] { return ledger.total(); }, [&](int n) { ledger.set_total(n); });
    slow(4, "local", [&] { return std::lock_guard(mutex), counter; }, set_counter);
    slow(8, "heap", [&] { return std::lock_guard(mutex), order->count; },
         [&](int n) { set_count(*order, n); });
    slow(12, "array", [&] { return std::lock_guard(mutex), orders[2].count; },
         [&](int n) { set_count(orders[2], n); });
    slow(16, "shared", [&] { return std::lock_guard(mutex), shared->price; },
         [&](double n) { shared->price = n; });
    slow(20, "element", [&] { return ledger.item(1); }, [&](long n) { ledger.set_item(1, n); });
    slow(24, "mapped", [&] { return ledger.hits(1); }, [&](int n) { ledger.set_hits(1, n); });
  });
  std::thread two([&] {
    quick(0, "other member", [&](int n) { ledger.set_total(n); });
    quick(4, "other local", set_counter);
    quick(8, "other heap", [&](int n) { set_count(*order, n); });
    quick(12, "other array", [&](int n) { set_count(orders[2], n); });
    quick(16, "other shared", [&](int n) { shared->price = n; });
    quick(20, "other element", [&](int n) { ledger.set_item(1, n); });
    quick(24, "other mapped", [&](int n) { ledger.set_hits(1, n); });
  });
  one.join();
  two.join();
  delete[] orders;
}
