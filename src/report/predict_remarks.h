// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a prediction says as a whole: whether every block is atomic in every interleaving, and
// otherwise what is missing for that, a plain sentence each.
#pragma once

#include "predict/predict.h"
#include "report/predict_report.h"

namespace omnium::report {

Predicted predicted(const predict::Prediction& prediction, const PredictContext& context);

}  // namespace omnium::report
