// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A library that torture programs load and unload.
#include "torture.h"

static long calls;

extern "C" long add_twice(std::atomic<long>* to) {
  OMNIUM_ATOMIC(torture::fresh("in the library").c_str());
  *to += 1;
  *to += 1;
  return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}
