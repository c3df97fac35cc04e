// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// STD, RAPID's text format: a line THREAD|OP|LOC per event (docs/formats/std.md).
//
// Speed matters here, because traces are often exchanged as STD and parsing is most of a check.
// Reading costs about 20 ns per event: per line one scan of 64 bytes for '|' and the newline, one
// look into a table of operations, and two or three look-ups in small caches of names.
#pragma once

#include <memory>

#include "event/source.h"
#include "trace/input.h"
#include "trace/output.h"

namespace omnium::trace {

std::unique_ptr<EventSource> read_std(std::unique_ptr<Input> input);

// Refuses names that a line cannot hold, such as one with a newline.
std::unique_ptr<EventSink> write_std(std::unique_ptr<Output> output);

}  // namespace omnium::trace
