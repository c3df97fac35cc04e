// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: Cache::get_or_create
// functions: all
// A cache looks an entry up and makes it if it is missing, in two critical sections. It shows if
// two threads miss the same entry: they get different objects for one key.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>

class Cache {
 public:
  std::shared_ptr<int> find(int key) {
    std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : found->second;
  }
  std::shared_ptr<int> get_or_create(int key) {
#ifndef FIXED
    if (std::shared_ptr<int> found = find(key)) return found;
#endif
    std::lock_guard lock(mutex_);
#ifdef FIXED
    if (const auto found = entries_.find(key); found != entries_.end()) return found->second;
#endif
    return entries_[key] = std::make_shared<int>(key);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<int, std::shared_ptr<int>> entries_;
};

Cache cache;
std::shared_ptr<int> got[2];

void work(int thread) {
  cache.find(6);
  got[thread] = cache.get_or_create(5);
}

int main() {
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  assert(got[0] == got[1]);
}
