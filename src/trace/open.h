// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Opening what is not a file: tests and fuzzers read traces from memory.
#pragma once

#include <memory>
#include <string_view>

#include "trace/input.h"
#include "trace/trace.h"

namespace omnium::trace {

// `start` is the beginning of a trace, or all of it. Empty traces and those with comments only are
// STD.
TraceFormat format_of_content(std::string_view start);

Result<std::unique_ptr<EventSource>> open_trace(std::unique_ptr<Input> input);
std::unique_ptr<EventSource> open_trace(std::unique_ptr<Input> input, TraceFormat format);

}  // namespace omnium::trace
