// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Writes traces, for convert and generate.
#pragma once

#include <string>

#include "cli/progress.h"
#include "trace/trace.h"

namespace omnium::cli {

// By `name` if it is not empty, by the path otherwise.
Result<TraceFormat> output_format(const std::string& path, const std::string& name);

// All events of `source`, checked to be well-formed, into a new file; nothing stays behind on an
// error.
Result<void> copy_trace(EventSource& source, const std::string& path, TraceFormat format,
                        const std::string& title, const Meter& meter = {});

}  // namespace omnium::cli
