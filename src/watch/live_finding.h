// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A finding of a running program, checked again and explained: the default engine must refute the
// same block in the trace that is made from the message. A finding that it cannot confirm is true
// all the same, since the program's own engine is exact (docs/runtime/online.md, "What is known
// when a finding is made"). But it cannot be shown how it happened.
//
// `mode` is what the program checks. The program alone decides where a block is cut: each part of a
// block is a block of the trace, and no further cut is made.
#pragma once

#include <memory>
#include <string>

#include "event/check_mode.h"
#include "report/report.h"
#include "symbols/address_space.h"
#include "watch/live_trace.h"
#include "watch/message.h"

namespace omnium::watch {

struct LiveFinding {
  LiveTrace trace;
  report::Report report;  // one cause, or one cycle; its names are those of the trace
  std::uint32_t number = 0;
  bool by_function = false;  // as wire::Finding::by_function
  bool refines = false;      // as wire::Finding::refines
  std::string waited_at;  // the place where the refuted part of the block began; empty: all of it
};

// Null if the engine does not confirm it.
std::unique_ptr<LiveFinding> confirm(const FindingMessage& message, symbols::AddressSpace& memory,
                                     const std::string& program, CheckMode mode);

// What the message says of a finding that is not confirmed: the blocks, and the event that closed
// the cycle.
std::unique_ptr<LiveFinding> unexplained(const FindingMessage& message,
                                         symbols::AddressSpace& memory, const std::string& program,
                                         CheckMode mode);

}  // namespace omnium::watch
