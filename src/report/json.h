// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The report for scripts: one line of JSON per trace (docs/formats/json.md).
#pragma once

#include "report/report.h"
#include "support/byte_sink.h"

namespace omnium::report {

enum class JsonDetail {
  kAll,
  kCauses,  // what a person reads: without the lists of all violations and refuted blocks
};

void render_json(const Report& report, support::ByteSink& out,
                 JsonDetail detail = JsonDetail::kAll);

// The same without the end of the line, as a part of something larger.
std::string json_line(const Report& report);

}  // namespace omnium::report
