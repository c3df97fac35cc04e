// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The report for scripts: one line of JSON per trace (docs/formats/json.md).
#pragma once

#include <string>
#include <string_view>

#include "report/json_writer.h"
#include "report/report.h"
#include "support/byte_sink.h"

namespace omnium::report {

enum class JsonDetail {
  kAll,
  kCauses,  // what a person reads: without the lists of all violations and refuted blocks
};

void render_json(const Report& report, support::ByteSink& out,
                 JsonDetail detail = JsonDetail::kAll);

// The same for findings that are not all in memory at once: violations, begin_causes(), causes,
// finish(). The report itself has everything else and outlives the stream.
class JsonStream {
 public:
  JsonStream(const Report& report, support::ByteSink& out, JsonDetail detail = JsonDetail::kAll);
  void violation(const Violation& violation, const Cause& cause);
  void violation(std::string_view text);  // that is JSON already
  void begin_causes();
  void cause(const Cause& cause);
  void finish();

 private:
  void flush();

  const Report& report_;
  support::ByteSink& out_;
  JsonDetail detail_;
  JsonWriter json_;
};

// A run of a merged report, as it stands in `merged`.
std::string json_of_part(const Report& part);

// The same without the end of the line, as a part of something larger.
std::string json_line(const Report& report);

}  // namespace omnium::report
