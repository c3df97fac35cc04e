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
  // Creates an empty raw log; an error if the trace could not be written there. `stays_raw`: keep
  // the log itself instead of a trace.
  static Result<RecordedTrace> prepare(const std::string& path, bool stays_raw);

  // Of arrays only accesses to the first `elements` get into the trace.
  void sample_arrays(std::uint64_t elements) { sample_ = elements; }

  // For the runtime's option `record`.
  const std::string& raw_path() const { return raw_; }

  // Did an instrumented program record anything?
  bool has_events() const;
  // Converts the raw log to the trace and removes it. After an error the raw log is kept, so that
  // `omnium convert` can try again.
  Result<void> finish() const;
  // The same for forked processes: FILE.PID.omt, announced in a note.
  Result<void> finish_children() const;
  void remove_raw() const;

 private:
  RecordedTrace(std::string path, std::string raw, std::optional<TraceFormat> format)
      : path_(std::move(path)), raw_(std::move(raw)), format_(format) {}
  static Result<void> keep(const std::string& raw, const std::string& path);
  Result<void> make_trace(const std::string& raw, const std::string& path) const;

  std::string path_, raw_;
  std::optional<TraceFormat> format_;  // none: keep the raw log
  std::optional<std::uint64_t> sample_;
};

}  // namespace omnium::cli
