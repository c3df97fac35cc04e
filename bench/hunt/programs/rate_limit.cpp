// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, exit
// block: Limit::admit
// functions: all
// A request is admitted while there are tokens: one critical section looks, another one takes. It
// shows if two requests see the last token: the number of tokens is negative.
#include <mutex>
#include <thread>

class Limit {
 public:
  int tokens() {
    std::lock_guard lock(mutex_);
    return tokens_;
  }
  bool admit() {
#ifndef FIXED
    if (tokens() <= 0) return false;
#endif
    std::lock_guard lock(mutex_);
#ifdef FIXED
    if (tokens_ <= 0) return false;
#endif
    --tokens_;
    return true;
  }

 private:
  std::mutex mutex_;
  int tokens_ = 1;
};

Limit limit;

void request() {
  limit.tokens();
  limit.admit();
}

int main() {
  std::thread first(request);
  std::thread second(request);
  first.join();
  second.join();
  return limit.tokens() >= 0 ? 0 : 1;
}
