// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a thread is doing, as /proc/PID/task/TID/syscall says it: "running", or the number of a
// system call and its arguments, "202 0x7f… 0x189 0x0 0x0 …".
#pragma once

#include <sys/syscall.h>

#include <cstdlib>

namespace omnium::wire {

enum class Activity {
  kNone,   // it waits for another thread, for ever
  kLater,  // it sleeps, or waits for time or for the outside
  kRunning,
};

inline Activity activity_in(const char* line) {
  if (line[0] == 'r') return Activity::kRunning;
  char* at = nullptr;
  if (std::strtol(line, &at, 10) != SYS_futex) return Activity::kLater;
  for (int i = 0; i < 3; ++i) std::strtoull(at, &at, 16);  // the word, the operation, the value
  const bool has_time_limit = std::strtoull(at, &at, 16) != 0;
  return has_time_limit ? Activity::kLater : Activity::kNone;
}

}  // namespace omnium::wire
