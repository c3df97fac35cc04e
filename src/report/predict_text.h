// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a prediction tells a person besides its findings, which are a report like any other: what
// was not decided, what is speculative, how the methods compare, potential deadlocks.
#pragma once

#include "report/predict_report.h"
#include "report/text.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_predict_notes(const PredictReport& report, const TextStyle& style,
                          support::ByteSink& out);

}  // namespace omnium::report
