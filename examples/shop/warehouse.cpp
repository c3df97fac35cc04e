// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "warehouse.h"

#include "annotations.h"

namespace {

constexpr int kCapacity = 100;  // of shelf and back room together
constexpr int kDelivery = 10;
constexpr int kReserve = 3;  // what must be left for loyal customers

}  // namespace

// The last ones are not sold: shelf and back room together keep the reserve.
bool Warehouse::take_from_shelf() {
  OMNIUM_ATOMIC("Warehouse::take_from_shelf");
#ifdef SHOP_FIXED
  std::scoped_lock lock(shelf_mutex_, back_room_mutex_);
  if (back_room_ < kReserve) return false;
  shelf_ -= 1;
#else
  {
    std::lock_guard lock(back_room_mutex_);
    if (back_room_ < kReserve) return false;
  }
  rush_.let_another_pass();
  std::lock_guard lock(shelf_mutex_);
  shelf_ -= 1;  // Bug: deliver() may have filled the back room by what was on the shelf.
#endif
  return true;
}

// Correct: the same with both locks.
bool Warehouse::take_from_back_room() {
  OMNIUM_ATOMIC("Warehouse::take_from_back_room");
  std::scoped_lock lock(shelf_mutex_, back_room_mutex_);
  if (shelf_ < kReserve) return false;
  back_room_ -= 1;
  return true;
}

// Correct: no lock is given back before all are taken.
void Warehouse::deliver() {
  {
    OMNIUM_ATOMIC("Warehouse::deliver");
    std::lock_guard back_room_lock(back_room_mutex_);
    back_room_ += kDelivery;
    std::lock_guard shelf_lock(shelf_mutex_);
    if (shelf_ + back_room_ > kCapacity) back_room_ = kCapacity - shelf_;
  }
  rush_.pass();
}

bool Warehouse::take_bag(long weight) {
  OMNIUM_ATOMIC("Warehouse::take_bag");
#ifdef SHOP_FIXED
  return reserve_bag(weight);
#else
  const long bags = bags_.load();
  if (bags < weight) return false;
  bag_rush_.let_another_pass();
  bags_.store(bags - weight);  // Bug: atomic operations do not make an atomic method.
  return true;
#endif
}

// Correct: a bag is only taken if there is still as much as was looked at.
bool Warehouse::reserve_bag(long weight) {
  {
    OMNIUM_ATOMIC("Warehouse::reserve_bag");
    long bags = bags_.load();
    do {
      if (bags < weight) return false;
    } while (!bags_.compare_exchange_weak(bags, bags - weight));
  }
  bag_rush_.pass();
  return true;
}
