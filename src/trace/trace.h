// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Traces in files: bytes <-> events, in any of our formats (docs/formats).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "event/source.h"
#include "support/error.h"

namespace omnium {

enum class TraceFormat { kStd, kCsv, kRoadRunner, kOmt };

std::string_view to_string(TraceFormat format);
// By the file's name: .std, .csv, .rr, .omt.
std::optional<TraceFormat> format_of_name(std::string_view path);

// Creates a trace file. The file appears under its name only when finish() succeeds, so nothing is
// ever half-written; "-" is standard output. Events of kind kSkip are left out. RoadRunner logs
// cannot be written.
Result<std::unique_ptr<EventSink>> create_trace(const std::string& path, TraceFormat format);

}  // namespace omnium
