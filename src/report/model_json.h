// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What exploring a model found, as one line of JSON (docs/formats/omp.md).
#pragma once

#include "report/model_report.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_model_json(const ModelReport& report, support::ByteSink& out);

}  // namespace omnium::report
