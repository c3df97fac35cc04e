// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Forces an interleaving, in C and in C++: turn(1), turn(2), turn(3), ... come in this order,
// whichever threads call them. A thread that gives way calls two in a row: turn(1); turn(4);
//
// Omnium sees nothing of it, so the schedule adds no dependency that could hide or fake a finding.
#pragma once

#include <sched.h>

#include <omnium/atomic.h>

static int turns_taken;

// Waits until turn(number - 1) is over.
static inline void turn(int number) {
  omnium_ignore_begin();
  while (__atomic_load_n(&turns_taken, __ATOMIC_ACQUIRE) != number - 1) sched_yield();
  __atomic_store_n(&turns_taken, number, __ATOMIC_RELEASE);
  omnium_ignore_end();
}
