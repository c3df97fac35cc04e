// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: Session::expire
// functions: all
// A session that was not used for long is closed: one critical section looks, the next one closes.
// It shows if the session is used in between: its user was let in, and finds it closed.
#include <cassert>
#include <mutex>
#include <thread>

class Session {
 public:
  bool enter() {
    std::lock_guard lock(mutex_);
    if (closed_) return false;
    users_ = 1;
    return true;
  }
  bool idle() {
    std::lock_guard lock(mutex_);
    return users_ == 0;
  }
  void expire() {
#ifndef FIXED
    if (!idle()) return;
#endif
    std::lock_guard lock(mutex_);
#ifdef FIXED
    if (users_ != 0) return;
#endif
    assert(users_ == 0);
    closed_ = true;
  }

 private:
  std::mutex mutex_;
  int users_ = 0;
  bool closed_ = false;
};

Session session;

int main() {
  std::thread reaper([] {
    session.idle();
    session.expire();
  });
  std::thread user([] {
    session.idle();
    session.enter();
  });
  reaper.join();
  user.join();
}
