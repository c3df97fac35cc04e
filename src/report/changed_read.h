// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Why an interleaving is possible but not certain: a plain read that sees another write than in the
// recording, after which its thread goes on as recorded.
#pragma once

#include <vector>

#include "predict/predict.h"

namespace omnium::report {

class ChangedReads {
 public:
  // The trace must outlive it.
  explicit ChangedReads(const predict::LoadedTrace& trace);

  // The first such read, as an index into the trace; kNoEvent if every read sees what it saw. The
  // last event of a thread does not count: nothing depends on it.
  EventIndex first_of(const predict::Interleaving& interleaving) const;

 private:
  // The last write before `index` in the recording; kNoEvent: what was there at the start.
  EventIndex last_write(std::uint32_t variable, EventIndex index) const;

  const predict::LoadedTrace& trace_;
  std::vector<std::vector<EventIndex>> writes_;  // by variable
};

}  // namespace omnium::report
