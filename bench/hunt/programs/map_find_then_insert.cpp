// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: register_worker
// functions: all
// A map with a lock in each method; its user asks for a key, then inserts it. It shows if another
// thread inserts the same key in between: the first entry is overwritten.
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Registry {
 public:
  bool has(const std::string& name) {
    std::lock_guard lock(mutex_);
    return owners_.count(name) != 0;
  }
  void put(const std::string& name, int owner) {
    std::lock_guard lock(mutex_);
    owners_[name] = owner;
  }
  bool put_if_new(const std::string& name, int owner) {
    std::lock_guard lock(mutex_);
    return owners_.emplace(name, owner).second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> owners_;
};

Registry registry;
int owned[2];

bool register_worker(int owner) {
#ifdef FIXED
  return registry.put_if_new("printer", owner);
#else
  if (registry.has("printer")) return false;
  registry.put("printer", owner);
  return true;
#endif
}

void work(int owner) {
  registry.has("scanner");
  if (register_worker(owner)) ++owned[owner];
}

int main() {
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  assert(owned[0] + owned[1] == 1);
}
