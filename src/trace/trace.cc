// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "trace/csv.h"
#include "trace/omt.h"
#include "trace/output.h"
#include "trace/read.h"
#include "trace/roadrunner.h"
#include "trace/std.h"

namespace omnium {

namespace {

bool is_roadrunner_line(std::string_view line) {
  return line.size() >= 2 && line[0] == '@' && (line[1] == ' ' || line[1] == '\t');
}

}  // namespace

namespace trace {

TraceFormat format_of_content(std::string_view start) {
  if (looks_like_omt(start)) return TraceFormat::kOmt;
  const bool any_at = start.find('@') != start.npos;
  bool bar = false;
  bool other = false;
  while (!start.empty()) {
    const std::string_view line = start.substr(0, start.find('\n'));
    start.remove_prefix(std::min(line.size() + 1, start.size()));
    if (is_roadrunner_line(line)) return TraceFormat::kRoadRunner;
    if (line.empty() || line == "\r" || line[0] == '#') continue;
    (line.find('|') != line.npos ? bar : other) = true;
    if (bar && !any_at) break;  // no later line makes it anything else
  }
  return other && !bar ? TraceFormat::kCsv : TraceFormat::kStd;
}

std::unique_ptr<EventSource> read_trace(std::unique_ptr<Input> input, TraceFormat format) {
  switch (format) {
    case TraceFormat::kStd: return read_std(std::move(input));
    case TraceFormat::kCsv: return read_csv(std::move(input));
    case TraceFormat::kRoadRunner: return read_roadrunner(std::move(input));
    case TraceFormat::kOmt: break;
  }
  return read_omt(std::move(input));
}

}  // namespace trace

std::string_view to_string(TraceFormat format) {
  switch (format) {
    case TraceFormat::kStd: return "std";
    case TraceFormat::kCsv: return "csv";
    case TraceFormat::kRoadRunner: return "roadrunner";
    case TraceFormat::kOmt: break;
  }
  return "omt";
}

std::optional<TraceFormat> format_of_name(std::string_view path) {
  if (path.ends_with(".std")) return TraceFormat::kStd;
  if (path.ends_with(".csv")) return TraceFormat::kCsv;
  if (path.ends_with(".rr")) return TraceFormat::kRoadRunner;
  if (path.ends_with(".omt")) return TraceFormat::kOmt;
  return std::nullopt;
}

Result<std::unique_ptr<EventSink>> create_trace(const std::string& path, TraceFormat format) {
  if (format == TraceFormat::kRoadRunner) {
    return fail({path}, "RoadRunner logs can be read but not written");
  }
  auto output = trace::create_output(path);
  if (!output) return tl::unexpected(output.error());
  switch (format) {
    case TraceFormat::kStd: return trace::write_std(std::move(*output));
    case TraceFormat::kCsv: return trace::write_csv(std::move(*output));
    default: return trace::write_omt(std::move(*output));
  }
}

}  // namespace omnium
