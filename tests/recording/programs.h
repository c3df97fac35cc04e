// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The random programs that run in the recorded process, and what they note of themselves.
#pragma once

#include <atomic>

#include "support/check.h"
#include "tests/recording/recorded_program.h"

namespace omnium::test {

inline constexpr std::uint32_t kMaxProgramThreads = 1400;

// What really happened; outlives the process.
struct Notes {
  static constexpr std::uint32_t kMaxOperations = 1 << 15;

  // The operation happens now. Returns its place.
  std::uint64_t add(std::uint32_t thread, wire::RawKind kind, std::uint64_t object,
                    std::uint32_t size) {
    const std::uint32_t index = counts[thread].load(std::memory_order_relaxed);
    CHECK(index < kMaxOperations);
    operations[thread][index] = {next_stamp.fetch_add(1), object, size, kind};
    counts[thread].store(index + 1, std::memory_order_release);
    return place_of_operation(thread, index);
  }

  std::atomic<std::uint64_t> next_stamp;
  std::atomic<std::uint32_t> counts[kMaxProgramThreads];
  Operation operations[kMaxProgramThreads][kMaxOperations];
};

// Real threads: what they do is random, their order is the machine's.
void run_threads(const ProgramShape& shape, Notes& notes);
// Everything by one thread, in an order that the seed decides: a failure can be repeated.
void run_schedule(const ProgramShape& shape, Notes& notes);

}  // namespace omnium::test
