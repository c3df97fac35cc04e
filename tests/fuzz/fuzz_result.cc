// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Any text is a stored result or has a place where it is wrong. A stored result can be rendered in
// every format (SVG is DOT in the hands of another program), and what is stored of it again is the
// same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "report/format.h"
#include "report/json_reader.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace omnium;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto stored = report::StoredReports::parse(text, "fuzz.json");
  if (!stored) {
    CHECK(stored.error().at.line > 0 && stored.error().at.column > 0);
    return 0;
  }
  std::string json;
  for (const report::Format& format : report::all_formats()) {
    support::StringSink out;
    CHECK(format.render(stored->reports(), {}, out));
    if (format.name == "json") json = out.text();
  }
  if (json.empty()) return 0;
  const auto again = report::StoredReports::parse(json, "again.json");
  CHECK(again);
  support::StringSink out;
  CHECK(report::find_format("json")->render(again->reports(), {}, out));
  CHECK(out.text() == json);
  return 0;
}
