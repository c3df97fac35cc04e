// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "triage/triage.h"

#include <algorithm>
#include <set>
#include <string>

#include "report/findings.h"

namespace omnium::triage {

void Triage::use_baseline(const report::StoredReports& stored) {
  baseline_.emplace();
  for (const report::Finding& finding : findings_of(stored.reports())) {
    baseline_->insert(finding.cause->id);
  }
}

void Triage::mark(report::Report& report) {
  for (report::Cause& cause : report.causes) mark(cause, report.path);
  if (report.cycle_cause) mark(*report.cycle_cause, report.path);
  // What follows from a cause that is not told any more is a matter of its own.
  std::set<std::string> done;
  for (const report::Cause& cause : report.causes) {
    if (!cause.marks.news()) done.insert(cause.id);
  }
  for (report::Cause& cause : report.causes) {
    if (done.contains(cause.follows_from)) cause.follows_from.clear();
  }
}

void Triage::mark(report::Cause& cause, const std::string& path) {
  if (suppressions_) {
    if (const Suppression* match = suppressions_->match(cause)) {
      cause.marks.suppressed = match->reason;
    }
  }
  if (baseline_) cause.marks.known = baseline_->contains(cause.id);
  const auto [first, is_new] = told_in_.emplace(cause.id, path);
  cause.marks.told_in = is_new ? "" : first->second;
}

std::optional<Triage::BaselineCounts> Triage::baseline_counts() const {
  if (!baseline_) return std::nullopt;
  BaselineCounts counts;
  for (const auto& [id, path] : told_in_) {
    ++(baseline_->contains(id) ? counts.known : counts.fresh);
  }
  counts.unseen = baseline_->size() - counts.known;
  return counts;
}

bool has_news(const report::Report& report) {
  const auto is_news = [](const report::Cause& cause) {
    return cause.status != report::Status::kPossible && cause.marks.news();
  };
  return report::without_findings(report) || report.undescribed > 0 ||
         (report.cycle_cause && is_news(*report.cycle_cause)) ||
         std::ranges::any_of(report.causes, is_news);
}

}  // namespace omnium::triage
