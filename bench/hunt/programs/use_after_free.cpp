// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: crash
// An entry is found under the lock and used after it. It shows if it is evicted in between: its
// memory, a mapping of its own, is given back, and the program crashes.
#include <mutex>
#include <thread>

#include <sys/mman.h>

class Cache {
 public:
  Cache()
      : entry_(static_cast<int*>(
            mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  int* find() {
    std::lock_guard lock(mutex_);
    return entry_;
  }
  void use() {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    if (entry_ != nullptr) ++*entry_;
#else
    int* found = find();
    if (found != nullptr) ++*found;
#endif
  }
  void evict() {
    std::lock_guard lock(mutex_);
    munmap(entry_, kSize);
    entry_ = nullptr;
  }

 private:
  static constexpr std::size_t kSize = 4096;
  std::mutex mutex_;
  int* entry_;
};

Cache cache;

int main() {
  std::thread user([] {
    cache.find();
    cache.use();
  });
  std::thread owner([] {
    cache.find();
    cache.evict();
  });
  user.join();
  owner.join();
}
