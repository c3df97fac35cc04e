// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the renderers of predictions format.
#pragma once

#include <map>
#include <string>

#include "event/names.h"
#include "predict/predict.h"
#include "report/report.h"

namespace omnium::report {

struct PredictReport {
  std::string path;
  const predict::Prediction& prediction;
  const predict::LoadedTrace& trace;
  const Names& names;
  // Interleavings that were built for warnings of main(), explained like any trace; by the begin of
  // the warning's transaction.
  std::map<EventIndex, Report> findings;
  // Where the interleavings were written to, likewise; empty if they were not.
  std::map<EventIndex, std::string> witnesses;
  // What people know already of warnings of main(), likewise; empty if nobody was asked.
  std::map<EventIndex, Marks> marks;
  double seconds = 0;  // of everything but reading
  std::uint64_t peak_bytes = 0;

  bool all() const { return prediction.methods.size() > 1; }
  const predict::MethodResult& main() const { return prediction.methods.front(); }
  Block block(const BlockRef& ref) const;
  // Where the event comes from; empty where not known.
  std::string_view location(EventIndex event) const;
  // The variable or lock of a warning; empty if it is about threads.
  std::string_view object(const predict::Warning& warning) const;
  // Null if nothing is known of it.
  const Marks* marks_of(const predict::Warning& warning) const;
  std::string_view witness(const predict::Warning& warning) const;
  // The same for the same kind of warning in every run: block, object and who comes between.
  std::string id(const predict::Warning& warning) const;
};

}  // namespace omnium::report
