// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Tells news from what is known: marks the causes of reports that a suppression matches, that are
// in the baseline, or that an earlier report told.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "report/json_reader.h"
#include "report/report.h"
#include "triage/suppressions.h"

namespace omnium::triage {

class Triage {
 public:
  void use(Suppressions suppressions) { suppressions_ = std::move(suppressions); }
  // Everything in these is known.
  void use_baseline(const report::StoredReports& stored);

  void mark(report::Report& report);

  const std::optional<Suppressions>& suppressions() const { return suppressions_; }

  struct BaselineCounts {
    std::size_t known = 0, fresh = 0, unseen = 0;
  };
  // How the causes marked so far compare with the baseline; nothing if there is none.
  std::optional<BaselineCounts> baseline_counts() const;

 private:
  void mark(report::Cause& cause, const std::string& path);

  std::optional<Suppressions> suppressions_;
  std::optional<std::set<std::string>> baseline_;  // ids
  std::map<std::string, std::string> told_in_;     // by id: the first report that has it
};

// Is there something in the report that nobody knew about, and that is more than possible?
bool has_news(const report::Report& report);

}  // namespace omnium::triage
