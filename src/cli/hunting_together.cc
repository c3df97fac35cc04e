// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a hunt does with a hunting ground that other hunters share (docs/formats/corpus.md).
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cli/hunting.h"
#include "cli/terminal.h"
#include "report/findings.h"
#include "report/words.h"

namespace omnium::cli {

namespace {

namespace fs = std::filesystem;

}  // namespace

Result<void> Hunt::open_ground() {
  if (settings_.corpus.empty()) return {};
  const std::vector<std::string>& words = settings_.program.arguments;
  auto opened = HuntingGround::open(settings_.corpus, {settings_.program.path,
                                                       {words.begin() + 1, words.end()},
                                                       settings_.runtime,
                                                       settings_.asked_environment});
  if (!opened) return tl::unexpected(opened.error());
  ground_ = std::move(*opened);
  search_ =
      hunt::SerialSearch(ground_->first_number() + settings_.shard.part, settings_.clock_start);
  look_at_ground();
  return {};
}

void Hunt::look_at_ground() {
  if (!ground_) return;
  ground_->look();
  std::ranges::for_each(goals_, [&](Goal& goal) { take_outcome(goal); });
  std::ranges::for_each(suspects_, [&](Goal& goal) { take_outcome(goal); });
}

// What others have settled needs no more tries.
void Hunt::take_outcome(Goal& goal) const {
  if (!ground_ || goal.confirmed || goal.tries >= kTriesPerGoal) return;
  const HuntingGround::Outcome* outcome = ground_->outcome_of(goal.steps);
  if (outcome == nullptr) return;
  goal.tries = kTriesPerGoal;
  goal.confirmed = outcome->confirmed;
  goal.why_not = outcome->why;
}

void Hunt::tell_outcome(const Goal& goal) {
  if (!ground_) return;
  const bool is_suspect = goal.target.cause.empty();
  const int most = is_suspect ? static_cast<int>(kRoundsOfSuspects) : kTriesPerGoal;
  // The last run may have been cut off.
  if (!goal.confirmed && (goal.tries < most || is_over())) return;
  if (is_suspect && goal.tries < most) return;
  ground_->settle(goal.steps, {goal.confirmed, goal.target.cause, goal.why_not});
}

void Hunt::tell_violations(const report::Report& report, const std::vector<std::string>& ids) {
  if (!ground_ || ids.empty()) return;
  report::Report part = report;
  report::keep_causes(part, ids);
  const auto tell = [&](report::Cause& cause) {
    cause.found_by = violations_.at(cause.id).sentences;
  };
  std::ranges::for_each(part.causes, tell);
  if (part.cycle_cause) tell(*part.cycle_cause);
  ground_->add_run(part);
}

bool Hunt::has_untold_failures() const { return ground_ && ground_->knows_untold_failures(); }

std::string Hunt::store(const Catch& found, const hunt::ScheduleFile& schedule) {
  const std::string text = to_text(schedule);
  std::string shared;
  if (ground_) {
    shared = ground_->add_schedule(found.id + ".omh", text);
  }
  if (settings_.save.empty()) return shared;
  // Failures have numbers, from 1.
  const auto failure = std::ranges::find(failures_, found.id, &Catch::id);
  const std::string name = failure == failures_.end()
                               ? found.id
                               : fmt::format("failure-{}", failure - failures_.begin() + 1);
  const std::string path = (fs::path(settings_.save) / (name + ".omh")).string();
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

void Hunt::print_known() const {
  if (!ground_) return;
  const auto is_failure_here = [&](const std::string& id) {
    return std::ranges::any_of(failures_, [&](const Catch& it) { return it.id == id; });
  };
  for (const auto& [id, known] : ground_->known()) {
    // Two hunters may find the same at the same time.
    if (violations_.contains(id) || is_failure_here(id)) continue;
    const std::string here =
        known.seen == 0 ? "not seen here"
                        : fmt::format("seen here in {}", report::count_of(known.seen, "run"));
    settings_.log->write(fmt::format("  known: {}, {}. {}\n", printable(known.what, 4096), here,
                                     printable(known.way, 4096)));
  }
}

}  // namespace omnium::cli
