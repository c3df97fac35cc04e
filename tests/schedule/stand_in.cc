// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the schedule needs of the rest of the runtime: time is real, and nobody watches.
#include <cstdlib>

#include "runtime/schedule/virtual_clock.h"
#include "runtime/system/channel.h"
#include "runtime/system/options.h"

namespace omnium::runtime {

timespec real_time_now(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time;
}

wire::Counters& counters() {
  static wire::Counters counters;
  return counters;
}

void refuse_value(const char*, const char*) { std::abort(); }

}  // namespace omnium::runtime
