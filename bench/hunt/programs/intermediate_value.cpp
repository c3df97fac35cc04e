// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: Tank::refill
// functions: all
// A tank is emptied and filled again, in two critical sections, and must never be seen empty. It
// shows if somebody looks in between.
#include <cassert>
#include <mutex>
#include <thread>

class Tank {
 public:
  void set(int level) {
    std::lock_guard lock(mutex_);
    level_ = level;
  }
  int level() {
    std::lock_guard lock(mutex_);
    return level_;
  }
  void refill() {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    level_ = 0;
    level_ = 100;
#else
    set(0);
    set(100);
#endif
  }

 private:
  std::mutex mutex_;
  int level_ = 50;
};

Tank tank;

int main() {
  std::thread keeper([] {
    tank.level();
    tank.refill();
  });
  std::thread visitor([] {
    assert(tank.level() > 0);
    tank.level();
  });
  keeper.join();
  visitor.join();
}
