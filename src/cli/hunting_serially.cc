// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The serial runs of a hunt (docs/hunting.md): one thread at a time, by strategies that take turns.
// What they find is replayed exactly.
#include <chrono>

#include "cli/block_options.h"
#include "cli/hunting.h"
#include "hunt/serial_shrink.h"

namespace omnium::cli {

namespace {

// Seconds.
constexpr double kToSeek = 3, kToShrink = 3;

class Budget {
 public:
  explicit Budget(double seconds) : seconds_(seconds) {}
  bool is_left() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() <
           seconds_;
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<void> Hunt::prepare_serial() {
  auto made = hunt::SerialFile::create(file("board"));
  if (!made) return tl::unexpected(made.error());
  serial_file_.emplace(std::move(*made));
  return {};
}

Result<void> Hunt::begin_serially() {
  const Job job = serial_job();
  auto run = start_serially(*job.serial);
  if (!run) return tl::unexpected(run.error());
  if (interrupted_) return {};
  if (auto taken = take_first(*run); !taken) return taken;
  take_serial_result(*job.serial);
  if (run->run.watcher->found()) take_violations(*run, job);
  if (run->ending != Ending::kExit) take_failure(*run, job);
  if (run->ending == Ending::kExit && run->run.status != 0) plain_failure_ = std::move(*run);
  return {};
}

Hunt::Job Hunt::serial_job() {
  ++serial_runs_;
  Job job;
  job.serial = ground_ ? ground_->next_kept() : std::nullopt;
  if (job.serial) job.serial->places = search_.places();
  if (!job.serial) job.serial = search_.next();
  job.way = hunt::SerialSearch::name_of(*job.serial);
  return job;
}

Result<HuntedRun> Hunt::start_serially(const hunt::SerialPlan& plan, const std::string& steps) {
  serial_file_->write(plan);
  std::string options;
  if (!steps.empty()) add_runtime_option(options, "steer", steps_file(steps));
  add_runtime_option(options, "serial", file("board"));
  auto run = start(options);
  serial_result_ = serial_file_->read();
  return run;
}

void Hunt::take_serial_result(const hunt::SerialPlan& plan) {
  job_result_ = serial_result_;
  search_.take(plan, job_result_);
  if (ground_) ground_->keep(plan, job_result_);
}

int Hunt::repeats_serially(const hunt::SerialPlan& plan, const std::string& id) {
  int again = 0;
  for (int i = 0; i < kReplays && !interrupted_; ++i) {
    const auto run = start_serially(plan);
    if (!run) break;
    again += shows(*run, id) && serial_result_.not_reached == 0;
  }
  return again;
}

Hunt::SerialSchedule Hunt::shortened(const hunt::SerialPlan& plan, const hunt::SerialResult& shown,
                                     const std::string& id) {
  if (!shown.is_exact) return {};
  SerialSchedule best;
  best.plan.places = plan.places;
  best.plan.hasty = plan.hasty;
  best.plan.clock_start = plan.clock_start;
  const auto try_switches = [&](const std::vector<hunt::Switch>& switches) {
    hunt::SerialPlan tried = best.plan;
    tried.switches = switches;
    const auto run = start_serially(tried);
    const bool good = run && shows(*run, id) && serial_result_.is_exact;
    return good ? std::optional(serial_result_.switches) : std::nullopt;
  };
  const Budget budget(kToShrink);
  best.plan.switches =
      hunt::shrink(shown.switches, try_switches, [&] { return budget.is_left() && !interrupted_; });
  best.plan.loose = false;
  // Most places are not needed.
  SerialSchedule small = best;
  small.plan.places.clear();
  small.again = repeats_serially(small.plan, id);
  if (small.again == kReplays) return small;
  best.again = repeats_serially(best.plan, id);
  return best;
}

Hunt::SerialSchedule Hunt::sought(const NextPlan& next, const std::string& steps,
                                  const std::string& id) {
  const Budget budget(kToSeek);
  while (budget.is_left() && !interrupted_) {
    const auto plan = next();
    if (!plan) break;
    const auto run = start_serially(*plan, steps);
    if (!run || interrupted_) break;
    const hunt::SerialResult shown = serial_result_;
    search_.take(*plan, shown);
    if (shows(*run, id) && shown.is_exact) return shortened(*plan, shown, id);
  }
  return {};
}

Hunt::SerialSchedule Hunt::switches_by_steps(const std::string& steps, const std::string& id) {
  constexpr std::uint64_t kTries = 8;
  const std::set<Code> places = hunt::places_of_steps(steps);
  const auto next = [&, tries = std::uint64_t{0}]() mutable -> std::optional<hunt::SerialPlan> {
    if (tries == kTries) return std::nullopt;
    return search_.by_steps(places, tries++);
  };
  return sought(next, steps, id);
}

Hunt::SerialSchedule Hunt::switches_by_search(const std::string& id) {
  const auto next = [&]() -> std::optional<hunt::SerialPlan> {
    if (is_over()) return std::nullopt;
    return search_.next();
  };
  return sought(next, "", id);
}

Hunt::SerialSchedule Hunt::exact_switches(const Job& job, const std::vector<std::string>& ways,
                                          const std::string& id) {
  SerialSchedule best;
  if (job.serial) best = shortened(*job.serial, job_result_, id);
  for (const std::string& steps : ways) {
    if (best.again == kReplays) break;
    SerialSchedule found = switches_by_steps(steps, id);
    if (found.again > best.again) best = std::move(found);
  }
  return best;
}

}  // namespace omnium::cli
