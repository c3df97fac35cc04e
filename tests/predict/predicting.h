// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Prediction of traces in memory, for the tests of this folder.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <set>

#include "predict/predict.h"
#include "support/check.h"
#include "tests/support/figure.h"
#include "tests/support/memory_source.h"

namespace omnium::test {

using predict::Atomicity;
using predict::Method;

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

inline predict::Recording recording_of(const Trace& trace) {
  predict::Recording recording;
  recording.events = trace.events;
  recording.extent = trace.names.extent();
  return recording;
}

inline predict::MethodResult run_method(const Trace& trace, Method method,
                                        Atomicity atomicity = Atomicity::kConflict,
                                        const predict::TreeOptions& trees = {}) {
  predict::PredictOptions options;
  options.methods = {method};
  options.atomicity = atomicity;
  options.trees = trees;
  options.confirm = false;
  return predict::predict(recording_of(trace), options).methods[0];
}

// Begins of the transactions that were warned about.
inline std::set<EventIndex> warned(const predict::MethodResult& result) {
  std::set<EventIndex> begins;
  for (const predict::Warning& warning : result.warnings) begins.insert(warning.transaction.begin);
  return begins;
}

}  // namespace omnium::test
