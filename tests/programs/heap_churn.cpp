// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Two gigabytes go through the heap of which little is alive at a time: memory does not grow with
// time, and all of it is at most 3.5 times what the program itself touched.
//
// expect: nothing
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <omnium/atomic.h>

#include "resident.h"

constexpr std::size_t kMegabyte = 1 << 20;

// `count` megabytes in blocks of all sizes, of which 4 MB are alive.
void churn(std::size_t count, unsigned seed) {
  std::vector<std::unique_ptr<char[]>> alive(64);
  for (std::size_t bytes = 0; bytes < count * kMegabyte;) {
    seed = seed * 1664525 + 1013904223;
    const std::size_t size = 16 + (seed >> 8) % 131072;
    OMNIUM_ATOMIC("replace");
    auto& slot = alive[seed >> 26];
    slot = std::make_unique_for_overwrite<char[]>(size);
    std::memset(slot.get(), 1, size);
    bytes += size;
  }
}

void churn_in_two_threads(std::size_t count) {
  std::thread first(churn, count / 2, 1), second(churn, count / 2, 2);
  first.join();
  second.join();
}

int main() {
  churn_in_two_threads(256);
  const long after_some = resident_megabytes();
  churn_in_two_threads(2048);
  const long after_all = resident_megabytes();
  constexpr long kTouched = 128;
  std::vector<char> large(kTouched * kMegabyte, 1);
  const long with_large = resident_megabytes();
  std::printf("%ld MB after 256 MB, %ld MB after 2 GB, %ld MB with 128 MB more\n", after_some,
              after_all, with_large);
  const bool bounded = after_all <= after_some + 32;
  const bool small = with_large - after_all <= kTouched * 7 / 2 + 8;
  return large[12345] == 1 && bounded && small ? 0 : 1;
}
