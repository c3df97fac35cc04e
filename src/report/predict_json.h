// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A prediction for scripts: one line of JSON (docs/formats/predict.md).
#pragma once

#include "report/predict_report.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_predict_json(const PredictReport& report, support::ByteSink& out);

}  // namespace omnium::report
