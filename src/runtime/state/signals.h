// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which signals came after the first event of a part of a block: only these were waited for
// (docs/semantics.md#waiting-and-retrying). All signals of the program are numbered, and so are the
// ends of threads; a part knows how many there were when it began. If the run is recorded as well,
// the numbers are places in the recording instead, so that both answer alike.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace omnium::runtime {

using SignalNumber = std::uint64_t;  // 0: none

// Threads that are not recorded, as in the child of a fork, have numbers above all places.
inline constexpr SignalNumber kFirstSignal = SignalNumber{1} << 63;

// Every part of a block reads this when it begins, so it has a cache line of its own. Signals are
// rare.
struct alignas(64) SignalCount {
  std::atomic<SignalNumber> value;
};
extern SignalCount signal_count;

inline SignalNumber signals_so_far() { return signal_count.value.load(std::memory_order_relaxed); }
inline SignalNumber next_signal() { return signal_count.value.fetch_add(1) + 1; }

// The latest signals for one meeting. Must be used under a lock.
class LatestSignals {
 public:
  void add(std::uint32_t thread, SignalNumber number) {
    if (thread != thread_ && number < latest_) {
      by_others_ = std::max(by_others_, number);
      return;
    }
    if (thread != thread_) by_others_ = latest_;
    thread_ = thread;
    latest_ = number;
  }
  SignalNumber by_others(std::uint32_t thread) const {
    return thread == thread_ ? by_others_ : latest_;
  }
  void clear() { *this = {}; }

 private:
  // All 0 at first. Not said here: large tables have these, and may cost nothing until they are
  // used.
  SignalNumber latest_;
  SignalNumber by_others_;  // the latest by another thread than `thread_`
  std::uint32_t thread_;    // number of the thread that gave the latest
};

}  // namespace omnium::runtime
