// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Functions that are inlined, that throw, and that use the C++ library. What they access is not
// watched: the log shows functions alone.
#include <algorithm>
#include <bitset>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include <omnium/atomic.h>

extern "C" {
void stand_in_watch(const void*, std::size_t);
void stand_in_stop(void);
const char* stand_in_block(void);

int shared = 0;

inline __attribute__((always_inline)) void inlined(void) { ++shared; }
static inline int small(int x) { return x + 1; }
void calls(int x) {
  inlined();
  shared = small(x);
}
void throws(void) { throw std::runtime_error("on purpose"); }
void catches(void) {
  try {
    throws();
  } catch (const std::exception&) {
    inlined();
  }
}
void library(std::vector<int>& numbers) {
  std::map<int, int> tree;
  std::unordered_map<int, std::string> table;
  std::bitset<70> bits;
  for (int x : numbers) {
    tree[x] = x;
    table[x] += "text";
    bits.set(static_cast<std::size_t>(x));
  }
  std::sort(numbers.begin(), numbers.end());
  shared = tree.at(3) + static_cast<int>(table.size() + bits.count()) +
           *std::max_element(numbers.begin(), numbers.end());
}
int block(void) {
  OMNIUM_ATOMIC("a block");
  return stand_in_block() == nullptr ? 1 : 0;
}
}

int main() {
  std::vector<int> numbers = {3, 1, 2};
  stand_in_watch(nullptr, 0);
  calls(1);
  catches();
  library(numbers);
  const int failed = block();
  stand_in_stop();
  return failed + (stand_in_block() == nullptr ? 0 : 2);
}
