// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread that does the same few things again and again, none of which changes anything, waits for
// another thread. So does one that yields the processor.
#pragma once

#include <cstdint>

#include "runtime/schedule/point.h"

namespace omnium::runtime {

class Spinning {
 public:
  // The thread comes to a point. `idle`: what it did before has changed nothing.
  void at(const Point& point, bool idle) {
    const bool repeats = is_recent(point);
    rounds_ = idle && repeats ? rounds_ + 1 : 0;
    if (!repeats) recent_[next_++ % kRecent] = {point.pc, point.address};
  }
  bool is_spinning() const { return rounds_ >= kRounds; }
  void start_again() { rounds_ = 0; }

  // It lets others go first, until one of them has changed something.
  void give_way(std::uint64_t changes) { since_ = changes; }
  bool gives_way(std::uint64_t changes) const { return since_ == changes; }

 private:
  static constexpr std::uint32_t kRecent = 8, kRounds = 24;
  struct Done {
    Pc pc;
    std::uintptr_t address;
  };

  bool is_recent(const Point& point) const {
    for (const Done& done : recent_) {
      if (done.pc == point.pc && done.address == point.address) return true;
    }
    return false;
  }

  Done recent_[kRecent];
  std::uint32_t next_, rounds_;
  std::uint64_t since_;  // number of the latest change then
};

}  // namespace omnium::runtime
