// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The trace that a recorded program leaves behind: a raw log beside it while the program runs.
#pragma once

#include <optional>
#include <string>

#include "support/error.h"
#include "trace/trace.h"

namespace omnium::cli {

class RecordedTrace {
 public:
  // Makes the raw log, empty; an error if the trace could not be written there. `stays_raw`: the
  // log itself is what is wanted.
  static Result<RecordedTrace> prepare(const std::string& path, bool stays_raw);

  // For the runtime's option `record`.
  const std::string& raw_path() const { return raw_; }

  // Did an instrumented program record anything?
  bool has_events() const;
  // Turns the raw log into the trace and removes it. After an error the raw log stays: `omnium
  // convert` can try again.
  Result<void> finish() const;
  // The same for processes that the program forked: FILE.PID.omt, told in a note.
  Result<void> finish_children() const;
  void remove_raw() const;

 private:
  RecordedTrace(std::string path, std::string raw, std::optional<TraceFormat> format)
      : path_(std::move(path)), raw_(std::move(raw)), format_(format) {}
  static Result<void> keep(const std::string& raw, const std::string& path);
  Result<void> make_trace(const std::string& raw, const std::string& path) const;

  std::string path_, raw_;
  std::optional<TraceFormat> format_;  // none: it stays raw
};

}  // namespace omnium::cli
