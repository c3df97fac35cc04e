// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A log that is read while it is written (docs/runtime/following.md). The program says up to which
// clock the log is complete, and its threads wait if the reader is far behind.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/record/log.h"

namespace omnium::runtime::record {

// Events that begin from now on have at least this clock. 0: nobody follows the log.
extern std::atomic<std::uint64_t> floor_clock;
// How often the reader had asked for complete_clock when that was told the last time.
extern std::atomic<std::uint32_t> answered;

// Called inside of the runtime, before an event looks at cells.
inline void catch_up(ThreadLog& log) {
  const std::uint64_t floor = floor_clock.load(std::memory_order_relaxed);
  if (log.clock < floor) [[unlikely]]
    set_clock(log, floor);
}

// The next log has a reader.
void expect_reader();
// A new log begins.
void start_following();
// The thread has sealed a block. It waits for the reader, if need be, as soon as it is outside of
// the runtime.
void block_was_sealed();
// Tells the reader up to which clock the log is complete (RawHeader::complete_clock).
void tell_complete_clock();
// The same if the reader has asked since the last time.
inline void answer_reader() {
  if (floor_clock.load(std::memory_order_relaxed) == 0) return;
  const std::uint32_t asked = header->asked.load(std::memory_order_relaxed);
  if (asked == answered.load(std::memory_order_relaxed)) return;
  answered.store(asked, std::memory_order_relaxed);
  tell_complete_clock();
}

}  // namespace omnium::runtime::record
