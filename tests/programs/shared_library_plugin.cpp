// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What shared_library.cpp loads.
#include <mutex>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Counter {
  std::mutex mutex;
  int value = 0;
};

Counter plugin_counter;

extern "C" void add() {
  turn(2);
  {
    OMNIUM_ATOMIC("add");
    std::lock_guard lock(plugin_counter.mutex);
    plugin_counter.value += 1;
  }
  turn(3);
}

extern "C" void slow_add() {
  OMNIUM_ATOMIC("slow_add");
  int value = 0;
  {
    std::lock_guard lock(plugin_counter.mutex);
    value = plugin_counter.value;
  }
  turn(1);
  turn(4);
  std::lock_guard lock(plugin_counter.mutex);
  plugin_counter.value = value + 1;
}
