// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: sign_off
// One of two doctors has to stay. Each looks whether the other one is on call and then signs off,
// under two locks, one after the other. It shows if both look before either signs off.
#include <cassert>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

struct Doctor {
  std::mutex mutex;
  bool on_call = true;
};

Doctor doctors[2];

void sign_off(int self) {
  OMNIUM_ATOMIC("sign_off");
  Doctor& mine = doctors[self];
  Doctor& other = doctors[1 - self];
#ifdef FIXED
  std::scoped_lock lock(mine.mutex, other.mutex);
  if (!other.on_call) return;
#else
  {
    std::lock_guard lock(other.mutex);
    if (!other.on_call) return;
  }
  std::lock_guard lock(mine.mutex);
#endif
  mine.on_call = false;
}

int main() {
  std::thread first(sign_off, 0);
  std::thread second(sign_off, 1);
  first.join();
  second.join();
  assert(doctors[0].on_call || doctors[1].on_call);
}
