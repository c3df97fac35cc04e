// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Can a process go on by itself?
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace omnium::watch {

// Do all its threads wait for each other, for ever?
bool is_deadlocked(pid_t process);

// A thread that waits for a mutex, and the one that holds it. Threads are numbered by their age:
// 0 is the main thread.
struct MutexWait {
  std::size_t thread = 0, holder = 0;
  std::uint64_t mutex = 0;  // its address
};
// Of a process that is stopped or deadlocked; what waits for something else is left out.
std::vector<MutexWait> mutex_waits(pid_t process);

}  // namespace omnium::watch
