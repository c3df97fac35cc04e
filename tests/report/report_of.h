// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A drawn trace through engine, second look and report.
#pragma once

#include <fmt/format.h>

#include "report/build.h"
#include "report/json.h"
#include "report/text.h"
#include "support/check.h"
#include "tests/support/figure.h"

namespace omnium::test {

// Events get the places bank.cpp:40, bank.cpp:41, ...
inline Trace with_places(Trace trace) {
  int line = 40;
  for (Event& event : trace.events) {
    event.loc_id = trace.names.locations.intern(fmt::format("bank.cpp:{}", line++));
  }
  return trace;
}

// `trace` must outlive the report.
inline report::Report report_of(const Trace& trace, std::string_view engine = "reach") {
  MemorySource source(trace);
  auto report = report::check_and_report(source, "bank.std", *find_engine(engine), {});
  CHECK(report.has_value());
  report->seconds = 0.25;
  report->peak_bytes = 1'000'000;
  return std::move(*report);
}

inline std::string text_of(const report::Report& report, report::TextStyle style = {}) {
  support::StringSink out;
  render_text(report, style, out);
  return out.text();
}

inline std::string json_of(const report::Report& report) {
  support::StringSink out;
  render_json(report, out);
  return out.text();
}

// Two threads that both hold the mutex, but not long enough.
inline constexpr std::string_view kBank = R"(
  w2: begin(transfer) acq(m) r(bal) rel(m)                                 acq(m) w(bal) end
  w5:                                      begin(deposit) acq(m) w(bal) rel(m)               )";

inline constexpr std::string_view kNoBlame = R"(
  T1: begin(a)          w(x)      r(y)      end
  T2:          begin(b)      w(y)      r(x)     end )";

}  // namespace omnium::test
