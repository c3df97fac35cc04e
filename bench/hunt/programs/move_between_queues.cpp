// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: move_item
// An item is taken from one queue and put into another one, each with a lock of its own. It shows
// if somebody counts in between: the item is in neither.
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

struct Queue {
  std::mutex mutex;
  int items;
};

Queue waiting{{}, 1};
Queue running{{}, 0};

void move_item() {
  OMNIUM_ATOMIC("move_item");
#ifdef FIXED
  std::scoped_lock lock(waiting.mutex, running.mutex);
  --waiting.items;
  ++running.items;
#else
  {
    std::lock_guard lock(waiting.mutex);
    --waiting.items;
  }
  std::lock_guard lock(running.mutex);
  ++running.items;
#endif
}

void count_items() {
  OMNIUM_ATOMIC("count_items");
  std::scoped_lock lock(waiting.mutex, running.mutex);
  assert(waiting.items + running.items == 1);
}

int main() {
  std::thread mover(move_item);
  std::thread counter(count_items);
  mover.join();
  counter.join();
}
