// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// two_fields.cpp mended with a reader-writer lock that is held over both reads, and over both
// writes.
//
// expect: nothing
#include <pthread.h>

#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct Range {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  int low = 10;
  int high = 20;
};

Range range;

int width() {
  OMNIUM_ATOMIC("width");
  pthread_rwlock_rdlock(&range.lock);
  const int width = range.high - range.low;
  pthread_rwlock_unlock(&range.lock);
  return width;
}

void move(int to) {
  OMNIUM_ATOMIC("move");
  pthread_rwlock_wrlock(&range.lock);
  range.low = to;
  range.high = to + 10;
  pthread_rwlock_unlock(&range.lock);
}

int main() {
  std::vector<std::thread> readers;
  std::vector<int> wrong(3);
  for (int& mine : wrong) {
    readers.emplace_back([&mine] {
      for (int i = 0; i < 100; ++i) mine += width() != 10;
    });
  }
  for (int i = 0; i < 100; ++i) move(i);
  for (std::thread& reader : readers) reader.join();
  return wrong[0] + wrong[1] + wrong[2] == 0 ? 0 : 1;
}
