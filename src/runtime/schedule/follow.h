// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The switches of a serial run: those that are wanted, and those that were made.
#pragma once

#include "runtime/schedule/serial_thread.h"

namespace omnium::runtime {

// Where a decision is made.
struct Moment {
  const SerialThread& thread;
  bool forced;  // the thread cannot go on
  Pc pc;        // of its point, otherwise
  std::uint32_t visit;
  std::uint64_t time;
};

void prepare_switches(wire::SerialBoard& board);

// The switch that is wanted at this moment; null if there is none.
wire::SerialSwitch* find_switch(const Moment& moment);
// It cannot be made.
void cannot_follow(const wire::SerialSwitch& wanted);

// Keeps what was decided against the default rule.
void note_switch(const Moment& moment, const SerialThread& to);

}  // namespace omnium::runtime
