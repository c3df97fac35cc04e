// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, crash
// block: count_hit
// functions: all
// A pointer is asked for, compared with null and asked for again. It shows if it is set to null in
// between: the program crashes.
#include <atomic>
#include <mutex>
#include <thread>

struct Page {
  std::atomic<int> hits{0};
};

std::mutex mutex;
Page page;
Page* current = &page;

Page* get() {
  std::lock_guard lock(mutex);
  return current;
}

void set(Page* next) {
  std::lock_guard lock(mutex);
  current = next;
}

void count_hit() {
#ifdef FIXED
  Page* found = get();
  if (found != nullptr) found->hits.fetch_add(1);
#else
  if (get() != nullptr) get()->hits.fetch_add(1);
#endif
}

int main() {
  std::thread visitor([] {
    get();
    count_hit();
  });
  std::thread owner([] {
    get();
    set(nullptr);
  });
  visitor.join();
  owner.join();
}
