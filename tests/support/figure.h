// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Traces drawn as the papers draw them: a line per thread, time runs to the right.
//
//   T1: begin(inc)  r(x)        w(x)  end
//   T2:                   w(x)
//
// Events are ordered by the column where they start; two in one column are an error of the figure.
#pragma once

#include <string>
#include <string_view>

#include "event/memory_trace.h"

namespace omnium::test {

// In a trace of a test the inner operations of re-entrant locks are kSkip, as engines see them.
using Trace = MemoryTrace;

Trace figure(std::string_view drawing);

// The trace as STD lines, for messages and witnesses.
std::string to_std(const Trace& trace);

}  // namespace omnium::test
