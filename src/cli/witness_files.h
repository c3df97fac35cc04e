// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// predict --witness: interleavings as traces of their own.
#pragma once

#include <map>
#include <string>

#include "event/names.h"
#include "predict/predict.h"
#include "support/error.h"

namespace omnium::cli {

// Writes a trace for every warning that has an interleaving. Returns the paths for those of the
// first method, by the begin of the transaction.
Result<std::map<EventIndex, std::string>> write_witnesses(const std::string& directory,
                                                          const predict::Prediction& prediction,
                                                          const predict::LoadedTrace& trace,
                                                          const Names& names);

}  // namespace omnium::cli
