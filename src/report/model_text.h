// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What exploring a model found, for a person.
#pragma once

#include "report/model_report.h"
#include "report/text.h"
#include "support/byte_sink.h"

namespace omnium::report {

void render_model_text(const ModelReport& report, const TextStyle& style, support::ByteSink& out);

}  // namespace omnium::report
