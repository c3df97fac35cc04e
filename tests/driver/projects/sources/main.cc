// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Prints the total, and the number of modules that told the runtime of themselves.
#include <iostream>
#include <thread>
#include <vector>

#include "tally.h"

extern "C" int stand_in_modules(void);

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i) threads.emplace_back([i] { tally_add(i); });
  for (std::thread& thread : threads) thread.join();
  std::cout << "total " << tally_add(0) << ", modules " << stand_in_modules() << "\n";
}
