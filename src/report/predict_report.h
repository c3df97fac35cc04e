// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the renderers of predictions format.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "event/names.h"
#include "predict/predict.h"
#include "report/report.h"

namespace omnium::report {

// What the prediction itself does not know.
struct PredictContext {
  std::string path;                     // of the trace
  std::string check_command;            // that shows what the recording itself violates
  std::vector<std::string> incomplete;  // why the recording may lack events; empty: it does not
  Waits waits = Waits::kSplit;
  bool speculative = false;    // were speculative ones looked for?
  bool races = false;          // were races looked for?
  bool stats = false;          // are times wanted?
  std::size_t pictures = 100;  // causes to draw
};

struct PredictReport {
  const predict::Prediction& prediction;
  const predict::LoadedTrace& trace;
  const Names& names;
  Report findings;                    // the warnings of main() by their causes, and remarks
  std::vector<std::string> ids;       // of the cause of each of these warnings
  std::deque<Names> names_of_causes;  // that `findings` refers to
  bool lists_speculative = false;     // were they asked for?
  bool lists_races = false;
  bool lists_stats = false;
  // Where interleavings were written to, by the begin of the warning's transaction.
  std::map<EventIndex, std::string> witnesses;

  bool all() const { return prediction.methods.size() > 1; }
  const predict::MethodResult& main() const { return prediction.methods.front(); }
  Block block(const BlockRef& ref) const;
  // Where the event comes from; empty where not known.
  std::string_view location(EventIndex event) const;
  // The variable or lock of a warning; empty if it is about threads.
  std::string_view object(const predict::Warning& warning) const;
  // Empty if it was not written.
  std::string_view witness(const predict::Warning& warning) const;
};

// Explains the warnings. What is given must outlive the result.
PredictReport predict_report(const predict::Prediction& prediction,
                             const predict::LoadedTrace& trace, const Names& names,
                             const PredictContext& context);

}  // namespace omnium::report
