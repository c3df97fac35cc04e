// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Reading a trace whose format is known, and finding the format out.
#pragma once

#include <memory>
#include <string_view>

#include "trace/input.h"
#include "trace/trace.h"

namespace omnium::trace {

// How much of a trace format_of_content() wants to see.
inline constexpr std::size_t kSniffedBytes = 64 * 1024;

// `start` is the beginning of a trace, or all of it. Empty traces and those with comments only are
// STD.
TraceFormat format_of_content(std::string_view start);

std::unique_ptr<EventSource> read_trace(std::unique_ptr<Input> input, TraceFormat format);

}  // namespace omnium::trace
