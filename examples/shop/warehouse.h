// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What there is to be sold: on the shelf, in the back room, and the bags to carry it home.
#pragma once

#include <atomic>
#include <mutex>

#include "rush.h"

class Warehouse {
 public:
  bool take_from_shelf();
  bool take_from_back_room();
  void deliver();

  bool take_bag(long weight);
  bool reserve_bag(long weight);

 private:
  std::mutex shelf_mutex_;
  int shelf_ = 50;
  std::mutex back_room_mutex_;
  int back_room_ = 50;
  Rush rush_;

  std::atomic<long> bags_{1L << 60};  // How much paper is left for them, in grams.
  Rush bag_rush_;
};
