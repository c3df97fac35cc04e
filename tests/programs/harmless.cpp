// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Violations that are probably harmless, and a lock that Omnium does not know: the report says so.
//
// expect: share (with share), dirty write on buffer.refs
// expect: serve (with serve), dirty read on stats.hits
// expect: get (with get), unrepeatable read on instance
// expect: work (with work), dirty write on owned
// shows: Looks like a reference count: the block only changes buffer.refs,
// shows: Looks like a statistics counter: the block only changes stats.hits,
// shows: Looks like lazy initialization that is checked twice: the block reads instance
// shows: Hint: owned is used like a lock:
#include <atomic>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

#include "../../examples/shapes/turns.h"

struct Buffer {
  std::atomic<int> refs{1};
};

struct Stats {
  std::mutex mutex;
  long hits = 0;

  void hit() {
    std::lock_guard lock(mutex);
    ++hits;
  }
};

Buffer buffer;
Stats stats;
std::mutex mutex;
std::atomic<int*> instance;
std::atomic<bool> owned;

template <class Pause>
void share(Pause pause) {
  OMNIUM_ATOMIC("share");
  buffer.refs.fetch_add(1);
  pause();
  buffer.refs.fetch_sub(1);
}

template <class Pause>
void serve(Pause pause) {
  OMNIUM_ATOMIC("serve");
  stats.hit();
  pause();
  stats.hit();
}

template <class Pause>
int* get(Pause pause) {
  OMNIUM_ATOMIC("get");
  if (int* made = instance.load()) return made;
  pause();
  std::lock_guard lock(mutex);
  if (instance.load() == nullptr) instance.store(new int(3));
  return instance.load();
}

void locked() {
  while (owned.exchange(true)) std::this_thread::yield();
  owned.store(false);
}

template <class Pause>
void work(Pause pause) {
  OMNIUM_ATOMIC("work");
  locked();
  pause();
  locked();
}

// One thread pauses in each block while the other runs it.
void all_of(int round, bool pauses) {
  const auto in_turn = [&](auto block) {
    const int before = 4 * round++;
    if (pauses) {
      return (void)block([=] {
        turn(before + 1);
        turn(before + 4);
      });
    }
    turn(before + 2);
    block([] {});
    turn(before + 3);
  };
  in_turn([](auto pause) { share(pause); });
  in_turn([](auto pause) { serve(pause); });
  in_turn([](auto pause) { get(pause); });
  in_turn([](auto pause) { work(pause); });
}

int main() {
  std::thread slow([] { all_of(0, true); });
  std::thread quick([] { all_of(0, false); });
  slow.join();
  quick.join();
}
