// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A prediction for a person.
#pragma once

#include "report/predict_report.h"
#include "report/text.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_predict_text(const PredictReport& report, const TextStyle& style,
                         support::ByteSink& out);

}  // namespace omnium::report
