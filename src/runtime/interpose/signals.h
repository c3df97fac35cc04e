// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Signals that are taken one by one, in order: each is awaited by at most one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/events/events.h"

namespace omnium::runtime {

class SignalQueue {
 public:
  void clear() {
    sent_ = taken_ = 0;
    for (Signal& signal : signals_) {
      if (signal.number != 0) reset(signal.meeting);
      signal.number = 0;
    }
  }

  void send(const void* object, Pc pc) {
    Signal& signal = signals_[++sent_ % kKept];
    if (signal.number != 0) reset(signal.meeting);
    signal.number = sent_;
    contribute(signal.meeting, object, pc);
  }

  // Is there a signal that nobody has awaited?
  bool has_next() const { return taken_ != sent_; }

  // Awaits the oldest of them. Nothing happens if there is none.
  void await_next(const void* object, Pc pc) {
    if (!has_next()) return;
    Signal& signal = signals_[++taken_ % kKept];
    if (signal.number == taken_) collect(signal.meeting, object, pc);
  }

 private:
  static constexpr std::size_t kKept = 64;  // signals that may be ahead; older ones are lost

  struct Signal {
    std::uint64_t number;  // from 1; 0: none
    Meeting meeting;
  };

  std::uint64_t sent_, taken_;
  Signal signals_[kKept];
};

}  // namespace omnium::runtime
