// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a hunter reads from and adds to a hunting ground that it shares with others
// (docs/formats/corpus.md).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hunt/corpus.h"
#include "hunt/serial_run.h"
#include "report/json_reader.h"

namespace omnium::cli {

class HuntingGround {
 public:
  static Result<std::unique_ptr<HuntingGround>> open(const std::string& directory,
                                                     const hunt::Hunted& hunted);

  // Reads what others have added, if the last look was a second ago.
  void look();

  // No other hunter begins its numbers here.
  std::uint64_t first_number() const { return first_number_; }

  // Of a target that needs no more runs.
  struct Outcome {
    bool confirmed = false;
    std::string cause, why;
  };
  const Outcome* outcome_of(const std::string& steps) const;
  void settle(const std::string& steps, const Outcome& outcome);

  // What others have found: known ones are counted.
  struct Known {
    std::string what, way, schedule;
    std::uint64_t seen = 0;  // by this hunter
  };
  bool sees_known(const std::string& id);
  const std::map<std::string, Known>& known() const { return known_; }
  // Does it know of a failure of which it has no report?
  bool knows_untold_failures() const;
  // What a run has found; nothing if the report has no finding.
  void add_run(const report::Report& report);
  void add_failure(const std::string& how, const std::string& way, const std::string& sentences,
                   const std::string& id);
  // With findings that others have made. Valid as long as this object.
  std::vector<report::Report> reports() const;

  // A schedule for `omnium replay`; returns its path.
  std::string add_schedule(const std::string& name, const std::string& text);

  // A serial run that others have kept and this hunter has not followed; none if it has been less
  // than every second time.
  std::optional<hunt::SerialPlan> next_kept();
  // Adds the beginning of a run that showed something new.
  void keep(const hunt::SerialPlan& plan, const hunt::SerialResult& result);

 private:
  explicit HuntingGround(hunt::Corpus corpus);
  void read(const std::string& name);
  Result<void> take_run(const std::string& name);
  Result<void> take_failure(const std::string& name);
  Result<void> take_outcome(const std::string& name);
  Result<void> take_serial(const std::string& name);
  void added(const Result<bool>& result);

  hunt::Corpus corpus_;
  std::uint64_t first_number_;
  std::chrono::steady_clock::time_point last_look_;
  std::map<std::string, Outcome> outcomes_;  // by the hash of the steps
  std::map<std::string, Known> known_;       // by id
  std::deque<report::StoredReports> runs_;   // of others
  std::set<std::string> told_failures_;      // ids of failures in `runs_`
  std::deque<hunt::SerialPlan> kept_;        // of others, not yet followed
  std::uint64_t stored_serials_ = 0, turns_ = 0;
  bool warned_ = false;
};

}  // namespace omnium::cli
