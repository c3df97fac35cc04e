// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_output.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/choices.h"
#include "event/well_formed.h"
#include "support/display.h"
#include "support/suggestion.h"

namespace omnium::cli {

namespace {

constexpr TraceFormat kWritable[] = {TraceFormat::kStd, TraceFormat::kCsv, TraceFormat::kOmt};
constexpr EventIndex kProgressEvents = EventIndex{1} << 20;

}  // namespace

Result<TraceFormat> output_format(const std::string& path, const std::string& name) {
  const auto writable = [](TraceFormat format) {
    return std::ranges::find(kWritable, format) != std::end(kWritable);
  };
  if (name.empty()) {
    const auto format = format_of_name(path);
    if (format && writable(*format)) return *format;
    return fail({}, fmt::format("cannot tell the format from the name '{}'; use .std, .csv or "
                                ".omt, or --to std, csv or omt",
                                support::terminal_text(path)));
  }
  for (const TraceFormat format : kWritable) {
    if (to_string(format) == name) return format;
  }
  return fail({}, support::unknown("trace format", name, choices("convert", "to")));
}

Result<void> copy_trace(EventSource& source, const std::string& path, TraceFormat format,
                        const std::string& title, const Meter& meter) {
  auto sink = create_trace(path, format);
  if (!sink) return tl::unexpected(sink.error());
  ProgressLine line(title);
  WellFormed checker;
  std::array<Event, 2048> events;
  std::array<Event, 2048> checked;  // the checker takes inner lock operations out of its copy
  EventIndex done = 0;
  for (;;) {
    const auto count = source.read(events);
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) break;
    if (!source.is_well_formed()) {
      std::copy_n(events.begin(), *count, checked.begin());
      if (auto wrong = checker.check(std::span(checked).first(*count), source.names())) {
        return fail(source.position_of(wrong->offset), std::move(wrong->what));
      }
    }
    auto written = (*sink)->write(std::span(events).first(*count), source.names());
    if (!written) return written;
    if (done / kProgressEvents != (done + *count) / kProgressEvents) {
      line.show_events(done + *count, meter);
    }
    done += *count;
  }
  return (*sink)->finish(source.names());
}

}  // namespace omnium::cli
