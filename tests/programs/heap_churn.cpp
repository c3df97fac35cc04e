// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Two gigabytes go through the heap of which little is alive at a time: memory does not grow with
// time, and all of it is at most 3.5 times what the program itself touched.
//
// expect: nothing
// live: 16
#include <cstdio>
#include <cstdlib>
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

int main(int argc, char** argv) {
  const long megabytes = argc > 1 ? std::atol(argv[1]) : 2048, touched = megabytes / 16;
  churn_in_two_threads(megabytes / 8);
  const long after_some = resident_megabytes();
  churn_in_two_threads(megabytes);
  const long after_all = resident_megabytes();
  std::vector<char> large(touched * kMegabyte, 1);
  const long with_large = resident_megabytes();
  std::printf("%ld MB after %ld MB, %ld MB after %ld MB, %ld MB with %ld MB more\n", after_some,
              megabytes / 8, after_all, megabytes, with_large, touched);
  const bool bounded = after_all <= after_some + 32;
  const bool small = with_large - after_all <= touched * 7 / 2 + 8;
  return large[12345] == 1 && bounded && small ? 0 : 1;
}
