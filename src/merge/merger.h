// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Results of many runs as one (docs/scaling.md#merging). Everything that is kept is a set or the
// better of two things in a fixed order, so merging is associative, commutative and idempotent:
//
//   runs      by id; of two results of one run the one that says more
//   causes    by id: the surest status; per run the larger count; the shortest witness
//   variants  of a cause by pattern and partners: per run the larger count
//
// All sums are made at the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "merge/raw_result.h"
#include "merge/state.h"
#include "report/json_reader.h"
#include "support/error.h"

namespace omnium::merge {

class Merger {
 public:
  // Adds the results in a file: any number, also none. A regular file must not change as long as
  // the merger lives.
  Result<void> add_file(const std::string& path);
  // `path` is for messages.
  Result<void> add_text(std::string text, const std::string& path);

  const State& state() const { return state_; }

 private:
  // A text that is being read, and the runs of one result in it, as their group numbers them.
  struct Place {
    std::string_view text;
    std::uint32_t input;
    std::vector<std::uint32_t> runs;
  };

  Result<void> add(std::string_view text, std::uint32_t input);
  Result<void> add_result(const RawResult& raw, report::Report& head, Place& place);
  Result<void> add_cause(const Group& group, Entries& entries, const RawCause& raw,
                         std::string_view other, const Place& place);
  Error wrong(const Place& place, std::string_view at, std::string_view message) const;

  State state_;
  std::vector<report::StoredReports> heads_;  // own the names in the runs
};

}  // namespace omnium::merge
