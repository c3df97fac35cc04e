// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A library that torture programs load and unload.
#include <atomic>

#include <omnium/atomic.h>

static long calls;

extern "C" long add_twice(std::atomic<long>* to) {
  OMNIUM_ATOMIC("in the library");
  *to += 1;
  *to += 1;
  return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}
