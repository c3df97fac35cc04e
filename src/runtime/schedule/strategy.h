// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Who goes on? The strategies of serial runs (docs/hunting.md). All of them are called by the
// thread that has the token, or under its lock.
#pragma once

#include "runtime/schedule/serial_thread.h"

namespace omnium::runtime {

struct Candidates {
  static constexpr std::uint32_t kMost = wire::SerialBoard::kMostThreads;
  SerialThread* list[kMost];  // by their order
  std::uint32_t count = 0;

  void add(SerialThread& thread);
  bool has(const SerialThread* thread) const;
  SerialThread& next_after(const SerialThread& self) const;  // by their order
};

void prepare_strategy(const wire::SerialBoard& board);

// A thread was created.
void strategy_meets(SerialThread& child, SerialThread* parent);

// One of the candidates. `self` is the thread that decides, and `usual` the one that goes on if
// nothing speaks against it.
SerialThread* choose(const Candidates& candidates, SerialThread& self, SerialThread& usual,
                     std::uint64_t time);

}  // namespace omnium::runtime
