// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The loop of `omnium hunt` (docs/hunting.md): record, predict, steer, and noise in between. What
// counts is what happened: violations that the checker saw, and programs that failed.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/hunted_run.h"
#include "cli/hunting_ground.h"
#include "cli/scratch_folder.h"
#include "cli/trace_list.h"
#include "hunt/environment.h"
#include "hunt/places.h"
#include "hunt/schedule_file.h"
#include "hunt/serial_search.h"
#include "hunt/target.h"
#include "predict/predict.h"

namespace omnium::cli {

struct HuntSettings {
  watch::Program program;
  std::string runtime;                // OMNIUM_OPTIONS
  hunt::Variables environment;        // that schedules keep
  hunt::Variables asked_environment;  // those of them that the user has asked for
  watch::WatchSettings watch;
  double seconds = 60;
  std::uint64_t runs = 0;  // 0: no limit
  Shard shard;             // of the seeds and of the targets
  bool steers = true, pauses = true, makes_noise = true, serial = true;
  std::uint64_t clock_start = 0;  // of the virtual clock of serial runs; 0: the real one
  std::string save;               // folder for schedules; empty: the hunting ground alone has them
  std::string corpus;             // of a hunting ground that others share; empty: none
  support::ByteSink* log = nullptr;
  bool progress = false;  // a line on the terminal
};

// How often a schedule is tried before it is called one that leads there.
inline constexpr int kReplays = 5;

// How often a target is tried, and a pair of accesses.
inline constexpr int kTriesPerGoal = 4;
inline constexpr std::size_t kRoundsOfSuspects = 3;

// A violation, or a way in which the program failed.
struct Catch {
  std::string id;          // of the cause
  std::string way;         // "run 3, steered"
  std::string replay;      // path of the schedule; empty: none
  std::string sentences;   // how it was found, and how to run it again
  std::uint64_t seen = 1;  // in how many runs
  // Of a failure: how the program ended, and the run as a report with this one cause, without how
  // it was found.
  std::string how = "";
  report::Report report = {};
  bool is_exact = false;  // the schedule led there in each replay
  int trials = 0;         // to find one that does
};

class Hunt {
 public:
  explicit Hunt(HuntSettings settings);
  ~Hunt();
  Hunt(const Hunt&) = delete;
  Hunt& operator=(const Hunt&) = delete;

  Result<void> run();

  // Of the runs that found something new, each with what was new. Valid as long as the hunt.
  std::vector<report::Report> reports() const;
  // Does the shared hunting ground know of failures that no report has?
  bool has_untold_failures() const;
  void print_summary() const;

 private:
  struct Goal {
    hunt::Target target;
    std::string steps;  // for the runtime
    std::string grade;
    std::string way;  // how runs for it are called
    int tries = 0;
    bool confirmed = false;
    std::string why_not;
  };
  struct Job {
    std::string way;             // "steered", "paused", "noise"
    std::string options;         // added to OMNIUM_OPTIONS
    std::string steps;           // what it was made from: these, or
    std::string perturb, pause;  // these seeds
    Goal* goal = nullptr;
    std::uint64_t run = 0;  // its number; 0: the latest
    std::optional<hunt::SerialPlan> serial = std::nullopt;
  };

  double elapsed() const;
  bool is_over() const;
  double left() const;
  double run_limit() const;  // how long the next run may last
  std::string file(std::string_view name) const { return (folder_->path() / name).string(); }
  Result<HuntedRun> start(const std::string& options);
  // For the runtime, which reads nothing else of a schedule.
  std::string steps_file(const std::string& steps) const;

  Result<void> record(const std::string& more_options);
  // What later runs are compared with.
  Result<void> take_first(const HuntedRun& run);
  Result<void> predict(const std::string& trace);
  void add_goal(std::deque<Goal>& goals, const hunt::Target& target, std::string_view grade,
                std::string_view way);
  void add_suspects(const predict::Prediction& prediction, const predict::LoadedTrace& trace,
                    const Names& names);
  bool is_early() const;
  bool is_turn_of_suspects(bool delays);
  Job steered(Goal& goal);
  Job paused();
  Job noisy();
  std::string next_seed();
  std::uint64_t untargeted_runs() const { return seed_ + pauses_ + serial_runs_; }
  std::optional<Job> next_job();

  // The shared hunting ground, if there is one (hunting_together.cc).
  Result<void> open_ground();
  void look_at_ground();
  void take_outcome(Goal& goal) const;
  void tell_outcome(const Goal& goal);
  void tell_violations(const report::Report& report, const std::vector<std::string>& ids);
  void print_known() const;
  std::uint64_t first_number() const { return ground_ ? ground_->first_number() : 0; }
  // Writes a schedule, where an earlier one was; returns its path.
  std::string store(const Catch& found, const hunt::ScheduleFile& schedule);

  // Serial runs (hunting_serially.cc).
  Result<void> prepare_serial();
  Result<void> begin_serially();
  Job serial_job();
  void take_serial_result(const hunt::SerialPlan& plan);
  // `steps`: those that the plan wants, if it is one by steps.
  Result<HuntedRun> start_serially(const hunt::SerialPlan& plan, const std::string& steps = "");
  struct SerialSchedule {
    hunt::SerialPlan plan;
    int again = 0;  // in so many of the replays
  };
  // The switches that a run made which ended in the catch: shortened.
  SerialSchedule shortened(const hunt::SerialPlan& plan, const hunt::SerialResult& shown,
                           const std::string& id);
  // Of the first run that ends in the catch, among those that `next` wants.
  using NextPlan = std::function<std::optional<hunt::SerialPlan>()>;
  SerialSchedule sought(const NextPlan& next, const std::string& steps, const std::string& id);
  // Of a run by these steps that ends in the catch; of any run that does.
  SerialSchedule switches_by_steps(const std::string& steps, const std::string& id);
  SerialSchedule switches_by_search(const std::string& id);
  // Of the serial run that was made last, or of one by any of these steps.
  SerialSchedule exact_switches(const Job& job, const std::vector<std::string>& ways,
                                const std::string& id);
  int repeats_serially(const hunt::SerialPlan& plan, const std::string& id);
  Result<void> perform(const Job& job);
  void count_time(const Job& job, double seconds);
  void judge_goal(Goal& goal, const HuntedRun& run, bool found);
  void take_violations(HuntedRun& run, const Job& job);
  void take_failure(const HuntedRun& run, const Job& job);
  report::Report report_of_failure(const HuntedRun& run, const hunt::FailedRun& failed);
  // With how it was found, and how often.
  static report::Report told(const Catch& failure);
  std::vector<std::string> steps_towards(const Job& job, const report::Cause* cause) const;
  std::pair<std::string, int> best_steps(const std::vector<std::string>& ways,
                                         const std::string& id);
  std::pair<int, int> doubted(const std::string& steps, const std::string& id);
  // Writes a schedule that leads there again, if there is one, and says so.
  void save(Catch& found, const Job& job, const report::Cause* cause);
  void improve(Catch& known, const Job& job);
  bool has_inexact() const;
  hunt::ScheduleFile schedule_of(const Catch& found) const;
  void keep(Catch& found, const hunt::ScheduleFile& schedule, std::pair<int, int> replays);
  // How many of `tries` runs with these steps end in the same catch?
  int repeats(const std::string& steps, const std::string& id, int tries);
  bool shows(const HuntedRun& run, const std::string& id) const;
  void show_progress() const;

  HuntSettings settings_;
  std::unique_ptr<HuntingGround> ground_;
  std::optional<watch::ForkServer> server_;  // starts all runs but the first
  std::optional<ScratchFolder> folder_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::uint64_t runs_ = 0, seed_ = 0, pauses_ = 0;
  double plain_seconds_ = 0;
  int plain_status_ = 0;
  std::optional<HuntedRun> plain_failure_;  // the first run, if it ended with another status than 0
  bool interrupted_ = false;
  bool hangs_ = false;     // a run did not end
  bool succeeds_ = false;  // a run ended with exit status 0
  hunt::Places places_;
  std::set<Code> unprotected_;  // where pauses may be made from the first visit on
  std::optional<hunt::SerialFile> serial_file_;
  hunt::SerialSearch search_{settings_.shard.part, settings_.clock_start};
  hunt::SerialResult serial_result_;  // of the latest serial run
  hunt::SerialResult job_result_;     // of the latest job that was serial
  std::uint64_t serial_runs_ = 0, turns_ = 0, latest_news_ = 0;
  double serial_seconds_ = 0, other_seconds_ = 0;  // of runs that are not about targets
  double goal_seconds_ = 0;                        // of those that are
  std::deque<Goal> goals_;                         // what was predicted
  std::deque<Goal> suspects_;  // orders that nobody predicts, and that may be bad
  std::size_t next_suspect_ = 0;
  std::map<std::string, Catch> violations_;  // by id
  std::vector<Catch> failures_;
  support::Interner failure_names_;
  struct Kept {
    HuntedRun run;
    std::vector<std::string> ids;  // that were new
  };
  std::deque<Kept> kept_;
};

}  // namespace omnium::cli
