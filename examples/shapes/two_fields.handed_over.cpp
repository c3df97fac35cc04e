// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// two_fields.cpp mended by a hand-over: the writer fills a new range that nobody else can see, and
// one atomic store makes it the current one. A reader loads the pointer once.
//
// expect: nothing
#include <atomic>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

struct Range {
  int low;
  int high;
};

Range ranges[101] = {{10, 20}};
std::atomic<const Range*> current{&ranges[0]};

int width() {
  OMNIUM_ATOMIC("width");
  const Range* range = current.load(std::memory_order_acquire);
  return range->high - range->low;
}

void move(int number, int to) {
  OMNIUM_ATOMIC("move");
  ranges[number].low = to;
  ranges[number].high = to + 10;
  current.store(&ranges[number], std::memory_order_release);
}

int main() {
  std::vector<std::thread> readers;
  std::vector<int> wrong(3);
  for (int& mine : wrong) {
    readers.emplace_back([&mine] {
      for (int i = 0; i < 100; ++i) mine += width() != 10;
    });
  }
  for (int i = 1; i <= 100; ++i) move(i, 7 * i);
  for (std::thread& reader : readers) reader.join();
  return wrong[0] + wrong[1] + wrong[2] == 0 ? 0 : 1;
}
