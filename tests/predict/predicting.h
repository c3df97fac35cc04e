// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Prediction of traces in memory, for the tests of this folder.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <sstream>

#include "predict/predict.h"
#include "support/check.h"
#include "tests/support/environment.h"
#include "tests/support/figure.h"

namespace omnium::test {

using predict::Atomicity;
using predict::Method;

// What threads did one after the other: "T1 w(x) w(y) | T2 r(x) | T1 w(x)".
inline Trace recorded(const std::string& turns) {
  std::map<std::string, std::string> lines;
  std::istringstream words(turns);
  std::string thread, word;
  for (std::size_t column = 0; words >> word;) {
    if (word == "|") {
      thread.clear();
    } else if (thread.empty()) {
      thread = word;
    } else {
      std::string& line = lines[thread];
      line.resize(column, ' ');
      line += word;
      column = line.size() + 1;
    }
  }
  std::string drawing;
  for (const auto& [name, line] : lines) drawing += name + ": " + line + "\n";
  return figure(drawing);
}

inline predict::LoadedTrace loaded(const Trace& trace) {
  predict::LoadedTrace out;
  out.events = trace.events;
  out.extent = trace.names.extent();
  out.follows = predict::followed_signals(trace.names);
  return out;
}

// What a method warns about, as its paper has it: nothing is searched for, blocks are not cut.
inline predict::MethodResult run_method(const Trace& trace, Method method,
                                        Atomicity atomicity = Atomicity::kConflict,
                                        const predict::TreeOptions& trees = {}) {
  predict::PredictOptions options;
  options.methods = {method};
  options.atomicity = atomicity;
  options.trees = trees;
  options.search = false;
  options.waits = Waits::kKeep;
  return predict::predict(loaded(trace), options).methods[0];
}

// Begins of the transactions that were warned about.
inline std::set<EventIndex> warned(const predict::MethodResult& result) {
  std::set<EventIndex> begins;
  for (const auto* warnings : {&result.warnings, &result.undecided}) {
    for (const predict::Warning& warning : *warnings) begins.insert(warning.transaction.begin);
  }
  return begins;
}

}  // namespace omnium::test
