// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "report/words.h"
#include "support/display.h"

namespace omnium::report {

namespace {

// What was seen counts more than what is certain, and that more than what is possible. What looks
// like noise in one report may not in another.
void add_to(Finding& finding, const Cause& cause, const Report& report) {
  const bool surer = cause.status < finding.cause->status;
  if (surer) finding.count = 0;
  if (surer ||
      (cause.status == finding.cause->status && is_noise(*finding.cause) && !is_noise(cause))) {
    finding.cause = &cause;
  }
  if (cause.status == finding.cause->status) finding.count += cause.count;
  if (std::ranges::find(finding.reports, &report) == finding.reports.end()) {
    finding.reports.insert(surer ? finding.reports.begin() : finding.reports.end(), &report);
  }
}

std::string prediction(const Cause& cause, const std::vector<std::string>& others) {
  std::string out = short_name(cause.block);
  if (cause.blamed) {
    out += " " + could_be_interrupted(others);
  } else {
    out += " could be part of a cycle";
    if (!others.empty()) out += " with " + listed(others);
  }
  if (const std::string what = headline(cause); !what.empty()) out += fmt::format(" ({})", what);
  return fmt::format("{}; {}", out, to_string(cause.status));
}

std::string what_happened(const Finding& finding) {
  const Cause& cause = *finding.cause;
  if (is_failure(cause)) return "the program failed: " + headline(cause);
  std::vector<std::string> others = partner_names(cause);
  if (is_predicted(cause.status)) return prediction(cause, others);
  if (finding.no_blame && !cause.explained) {
    return fmt::format("{}; {}", in_some_cycle(cause), kNotExplained);
  }
  if (finding.no_blame) {
    others.insert(others.begin(), short_name(cause.block));
    return fmt::format("{} have no serial order: {}", listed(others), headline(cause));
  }
  std::string out = short_name(cause.block);
  out += cause.blamed ? " was not atomic" : " is part of a cycle";
  if (const std::string what = headline(cause); !what.empty()) out += fmt::format(" ({})", what);
  if (!cause.explained) return fmt::format("{}; {}", out, kNotExplained);
  if (others.empty()) return out;
  return fmt::format("{}{}", out,
                     cause.blamed ? fmt::format(": {} interfered", listed(others))
                                  : fmt::format(" with {}", listed(others)));
}

}  // namespace

std::vector<Finding> findings_of(std::span<const Report> reports) {
  std::vector<Finding> findings;
  std::unordered_map<std::string_view, std::size_t> place;
  const auto add = [&](const Cause& cause, const Report& report, bool no_blame) {
    const auto [at, is_new] = place.emplace(cause.id, findings.size());
    if (is_new) findings.push_back({&cause, {}, 0, no_blame});
    add_to(findings[at->second], cause, report);
  };
  for (const Report& report : reports) {
    for (const Cause& cause : report.causes) add(cause, report, false);
    if (report.cycle_cause) add(*report.cycle_cause, report, true);
  }
  std::stable_partition(findings.begin(), findings.end(),
                        [](const Finding& it) { return !is_noise(*it.cause); });
  std::stable_partition(findings.begin(), findings.end(),
                        [](const Finding& it) { return !follows(*it.cause); });
  return findings;
}

bool without_findings(const Report& report) {
  return report.serializable == false && report.causes.empty() && !report.cycle_cause;
}

std::string message(const Finding& finding) {
  const Cause& cause = *finding.cause;
  std::string out = what_happened(finding);
  if (follows(cause)) out += fmt::format("; follows from {}", cause.follows_from);
  if (is_noise(cause)) out += fmt::format("; looks like {}", a_noise(cause.noise));
  return out;
}

std::string message(const Report& report) {
  if (report.run) {
    return fmt::format("{}: not serializable: {}", support::terminal_text(report.path),
                       undescribed(report.undescribed));
  }
  return fmt::format("{}: not serializable (engine {} does not report where)",
                     support::terminal_text(report.path), report.engine->name);
}

bool has_cause(const Report& report, std::string_view id) {
  return (report.cycle_cause && report.cycle_cause->id == id) ||
         std::ranges::any_of(report.causes, [&](const Cause& cause) { return cause.id == id; });
}

void keep_causes(Report& report, std::span<const std::string> ids) {
  const auto is_kept = [&](const Cause& cause) {
    return std::ranges::find(ids, cause.id) != ids.end();
  };
  std::vector<std::optional<std::uint32_t>> place;  // of each cause that is kept
  std::uint32_t kept = 0;
  for (const Cause& cause : report.causes) {
    place.push_back(is_kept(cause) ? std::optional(kept++) : std::nullopt);
  }
  std::erase_if(report.violations, [&](const Violation& it) { return !place[it.cause]; });
  for (Violation& violation : report.violations) violation.cause = *place[violation.cause];
  std::erase_if(report.causes, [&](const Cause& cause) { return !is_kept(cause); });
  if (report.cycle_cause && !is_kept(*report.cycle_cause)) report.cycle_cause.reset();
}

std::vector<Row> rows_of(const Picture& picture) {
  if (!picture.rows.empty()) return picture.rows;
  std::vector<Row> rows;
  for (const Sentence& sentence : picture.sentences) {
    for (const EventView* event : {&sentence.first, &sentence.second}) {
      const auto at = std::ranges::find(picture.columns, event->thread, &Column::thread);
      if (at == picture.columns.end()) continue;
      rows.push_back({static_cast<std::size_t>(at - picture.columns.begin()), *event});
    }
  }
  std::ranges::sort(rows, {}, [](const Row& row) { return row.event.index; });
  const auto same = [](const Row& a, const Row& b) { return a.event.index == b.event.index; };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  return rows;
}

std::optional<std::string_view> label_of(const Block& block) {
  return block.label && !block.label->empty() ? block.label : std::nullopt;
}

}  // namespace omnium::report
