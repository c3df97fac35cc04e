// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: Service::start
// functions: all
// A service is started at its first use, but the look and the start are two critical sections. It
// shows if two threads come first: the service is started twice.
#include <cassert>
#include <mutex>
#include <thread>

class Service {
 public:
  void start() {
#ifndef FIXED
    if (starts() != 0) return;
#endif
    std::lock_guard lock(mutex_);
#ifdef FIXED
    if (starts_ != 0) return;
#endif
    ++starts_;
  }
  int starts() {
    std::lock_guard lock(mutex_);
    return starts_;
  }

 private:
  std::mutex mutex_;
  int starts_ = 0;
};

Service service;

void use() {
  service.starts();
  service.start();
}

int main() {
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
  assert(service.starts() == 1);
}
