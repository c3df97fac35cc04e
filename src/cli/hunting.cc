// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/hunting.h"

#include <algorithm>
#include <fstream>
#include <tuple>

#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/block_options.h"
#include "cli/terminal.h"
#include "decode/open.h"
#include "hunt/deadlocks.h"
#include "hunt/pairs.h"
#include "hunt/schedule_file.h"
#include "hunt/shared_places.h"
#include "hunt/triples.h"
#include "predict/predict.h"
#include "report/findings.h"
#include "report/predicted_causes.h"
#include "report/text.h"
#include "report/words.h"

namespace omnium::cli {

namespace {

constexpr std::size_t kMostSuspects = 400;
constexpr std::size_t kFirstSuspects = 12;  // are tried before anything else
// Seconds that any run may last: longer than steering and noise can hold it up.
constexpr double kShortestLimit = 6, kLimitIfItHangs = 1;
constexpr std::uint64_t kMostAfterNews = 50;       // runs, after the latest finding
constexpr std::uint64_t kMostIfInexact = 200;      // if nothing leads to one of them each time
constexpr std::uint64_t kNoiseBetweenPauses = 12;  // runs
constexpr std::uint64_t kRecordEvery = 16;         // a noisy run is recorded, for what it predicts
// Of the search for interleavings, in events: it must not take the time that the runs need.
constexpr std::uint64_t kMostEvents = 2'000'000;
constexpr double kEventsPerSecondLeft = 25'000;

std::string with(std::string options, std::string_view key, std::string_view value) {
  add_runtime_option(options, key, value);
  return options;
}

void write_file(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string times(int count) { return count == 1 ? "once" : fmt::format("{} times", count); }

}  // namespace

Hunt::Hunt(HuntSettings settings) : settings_(std::move(settings)) {}

Hunt::~Hunt() = default;

double Hunt::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

bool Hunt::is_over() const {
  return interrupted_ || elapsed() > settings_.seconds ||
         (settings_.runs != 0 && runs_ >= settings_.runs);
}

double Hunt::left() const { return std::max(1.0, settings_.seconds - elapsed()); }

double Hunt::run_limit() const {
  if (runs_ == 0) return left();
  // Whoever has seen it hang need not wait for that again.
  return (hangs_ ? kLimitIfItHangs : kShortestLimit) + 20 * plain_seconds_;
}

// Did the run end in the catch with this id?
bool Hunt::shows(const HuntedRun& run, const std::string& id) const {
  if (hunt::is_failure_id(id)) return id_of(run.failure(settings_.program.path)) == id;
  return report::has_cause(run.run.watcher->report(), id);
}

Result<HuntedRun> Hunt::start(const std::string& options) {
  support::StringSink unused;
  const HuntedRunOptions how{with_runtime_options(settings_.runtime, options), file("output"),
                             run_limit(), left(), server_ ? &*server_ : nullptr};
  auto run = run_hunted(settings_.program, how, settings_.watch, unused);
  ++runs_;
  if (run && run->interrupted) interrupted_ = true;
  return run;
}

std::string Hunt::steps_file(const std::string& steps) const {
  hunt::ScheduleFile schedule;
  schedule.steps = steps;
  write_file(file("steps"), to_text(schedule));
  return file("steps");
}

Result<void> Hunt::run() {
  if (!settings_.save.empty() && !std::filesystem::is_directory(settings_.save)) {
    return fail({settings_.save}, "is no folder to save schedules in");
  }
  auto folder = ScratchFolder::create("omnium-hunt-");
  if (!folder) return tl::unexpected(folder.error());
  folder_.emplace(std::move(*folder));
  // Programs may depend on addresses.
  ::personality(ADDR_NO_RANDOMIZE);
  if (auto ready = prepare_serial(); !ready) return ready;
  if (auto opened = open_ground(); !opened) return opened;
  // Where time is virtual, no run lasts as long as it says.
  auto begun = settings_.clock_start != 0 ? begin_serially() : record("");
  if (!begun) return begun;
  while (!is_over()) {
    look_at_ground();
    const auto job = next_job();
    if (!job) break;
    if (auto done = perform(*job); !done) return done;
    show_progress();
  }
  if (settings_.progress) settings_.log->write("\r\033[K");
  return {};
}

Result<void> Hunt::take_first(const HuntedRun& run) {
  plain_seconds_ = run.seconds;
  plain_status_ = run.run.status;
  if (!run.run.watcher->greeted()) {
    return fail({settings_.program.path}, "is not instrumented: build it with `omnium c++`");
  }
  if (auto server = watch::ForkServer::start(settings_.program))
    server_.emplace(std::move(*server));
  // Who waits for a thread that sleeps must not give up before it wakes.
  constexpr double kShort = 0.1, kLongest = 3;
  if (plain_seconds_ > kShort) {
    settings_.runtime = with(settings_.runtime, "patience",
                             fmt::format("{:.0f}", 1500 * std::min(plain_seconds_, kLongest)));
  }
  return {};
}

// Records a run and adds what it predicts to the goals.
Result<void> Hunt::record(const std::string& more_options) {
  const std::string trace = file(fmt::format("recording-{}", runs_));
  const bool first = runs_ == 0;
  auto run = start(with(with(more_options, "check", "0"), "record", trace));
  if (!run) return tl::unexpected(run.error());
  if (first) {
    if (auto taken = take_first(*run); !taken) return taken;
  }
  if (run->ending != Ending::kExit) {
    Job job;
    job.way = "recorded";
    take_failure(*run, job);
  }
  if (first && run->ending == Ending::kExit && run->run.status != 0) {
    plain_failure_ = std::move(*run);
  }
  std::error_code ignored;
  if (std::filesystem::file_size(trace, ignored) > 0 && !ignored) {
    if (auto predicted = predict(trace); !predicted) return predicted;
  }
  std::filesystem::remove(trace, ignored);
  return {};
}

Result<void> Hunt::predict(const std::string& trace_path) {
  auto source = open_trace(trace_path);
  if (!source) return {};  // a program that was killed may leave a log that cannot be read
  (*source)->want_locations(true);
  const Specification& specification = settings_.watch.specification;
  const auto trace =
      predict::load_trace(**source, specification.empty() ? nullptr : &specification);
  if (!trace) return {};
  places_.add(**source);
  unprotected_.merge(hunt::unprotected_places(*trace, (*source)->names(), places_));
  if (!settings_.steers) return {};
  predict::PredictOptions options;
  options.budget = std::min(kMostEvents, static_cast<std::uint64_t>(left() * kEventsPerSecondLeft));
  options.speculative = true;
  const auto prediction = predict::predict(*trace, options);
  std::vector<predict::Warning> warnings = prediction.methods.front().warnings;
  const auto& speculative = prediction.methods.front().speculative;
  warnings.insert(warnings.end(), speculative.begin(), speculative.end());
  constexpr std::size_t kPictures = 100;
  const auto predicted =
      report::predicted_causes(warnings, *trace, (*source)->names(), options.waits, kPictures);
  for (const report::Cause& cause : predicted.causes) {
    const auto target = hunt::target_of(cause);
    if (target) add_goal(goals_, *target, to_string(cause.status), "steered");
  }
  add_suspects(prediction, *trace, (*source)->names());
  search_.know(hunt::shared_places(*trace, (*source)->names(), places_));
  return {};
}

// Deadlocks first; then interleaved accesses and those that may be turned round, alternately.
void Hunt::add_suspects(const predict::Prediction& prediction, const predict::LoadedTrace& trace,
                        const Names& names) {
  for (const auto& target :
       hunt::deadlock_targets(prediction.deadlocks, trace, names, kMostSuspects)) {
    add_goal(suspects_, target, "", "steered to a deadlock");
  }
  for (const auto& target : hunt::lost_signals(trace, names, kFirstSuspects)) {
    add_goal(suspects_, target, "", "signalled early");
  }
  const auto triples = hunt::interleaved_triples(trace, names, kMostSuspects);
  const auto pairs = hunt::reversed_pairs(trace, names, kMostSuspects);
  for (std::size_t i = 0; i < std::max(triples.size(), pairs.size()); ++i) {
    if (i < triples.size()) add_goal(suspects_, triples[i], "", "interleaved");
    if (i < pairs.size()) add_goal(suspects_, pairs[i], "", "reordered");
  }
}

void Hunt::add_goal(std::deque<Goal>& goals, const hunt::Target& target, std::string_view grade,
                    std::string_view way) {
  auto steps = to_text(target, places_);
  const auto is_known = [&](const Goal& goal) { return goal.steps == *steps; };
  if (!steps || std::ranges::any_of(goals, is_known)) return;
  // Dealt out by what they are: recordings of other shards may list them in another order.
  if (!settings_.shard.has(std::hash<std::string>()(*steps))) return;
  Goal& goal = goals.emplace_back();
  goal.target = target;
  goal.steps = std::move(*steps);
  goal.grade = grade;
  goal.way = way;
  take_outcome(goal);
}

Hunt::Job Hunt::steered(Goal& goal) {
  ++goal.tries;
  Job job;
  job.way = goal.way;
  job.options = with("", "steer", steps_file(goal.steps));
  job.steps = goal.steps;
  job.goal = &goal;
  // A second try goes another way up to the first step.
  if (goal.tries > 1) {
    job.perturb = next_seed();
    job.options = with(job.options, "perturb", job.perturb);
  }
  return job;
}

// No other shard has it.
std::string Hunt::next_seed() {
  return fmt::format("{}",
                     settings_.shard.parts * (first_number() + seed_++) + settings_.shard.part);
}

// The first one of all is the paper's way.
Hunt::Job Hunt::paused() {
  Job job;
  job.way = "paused";
  const std::uint64_t number = pauses_ == 0 ? 0 : first_number() + pauses_;
  ++pauses_;
  job.pause = fmt::format("{}", settings_.shard.parts * number + settings_.shard.part - 1);
  job.options = with("", "pause", job.pause);
  if (!unprotected_.empty()) {
    const std::string path = file("unprotected");
    hunt::ScheduleFile places;
    places.pause = job.pause;
    places.places = hunt::text_of_places(unprotected_);
    write_file(path, to_text(places));
    job.options = with(job.options, "unprotected", path);
  }
  return job;
}

Hunt::Job Hunt::noisy() {
  Job job;
  job.way = "noise";
  job.perturb = next_seed();
  job.options = with("", "perturb", job.perturb);
  return job;
}

// Goals first, the surest ones first, each some times; then noise, until the time is over or
// something was found.
std::optional<Hunt::Job> Hunt::next_job() {
  Goal* best = nullptr;
  for (Goal& goal : goals_) {
    const bool open = !goal.confirmed && goal.tries < kTriesPerGoal;
    if (settings_.steers && open && (best == nullptr || goal.tries < best->tries)) best = &goal;
  }
  // That a program hangs may have many reasons: the hunt goes on.
  const bool found = !violations_.empty() || failures_.size() > (hangs_ ? 1u : 0u);
  if (best != nullptr) {
    // What steering costs is not known before: programs that spin are held up for long.
    const bool is_expensive = goal_seconds_ > 1 + 2 * serial_seconds_;
    // What has failed once may fail again: the first suspects come before.
    const bool waits = best->tries > 0 && !found && is_early();
    if (!settings_.serial || (!is_expensive && !waits)) return steered(*best);
    if (is_expensive) return serial_job();
  }
  const bool is_quiet = !goals_.empty() || untargeted_runs() >= latest_news_ + kMostAfterNews;
  const bool seeks = settings_.serial && untargeted_runs() < latest_news_ + kMostIfInexact;
  if (found && is_quiet && !(seeks && has_inexact())) return std::nullopt;
  // Suspects begin. Later, half of the time is for serial runs; suspects, as long as there are any,
  // and noise take turns in the other half.
  const bool delays = settings_.makes_noise || settings_.pauses;
  const bool others = delays || settings_.steers;
  if (is_turn_of_suspects(delays)) {
    return steered(suspects_[next_suspect_++ % suspects_.size()]);
  }
  if (settings_.serial && (!others || is_early() || serial_seconds_ <= other_seconds_)) {
    return serial_job();
  }
  // Pauses are long.
  const bool is_turn_of_pauses = !settings_.makes_noise || seed_ > pauses_ * kNoiseBetweenPauses;
  if (settings_.pauses && is_turn_of_pauses) return paused();
  if (settings_.makes_noise) return noisy();
  if (settings_.serial) return serial_job();
  return std::nullopt;
}

// Are the first suspects still to come?
bool Hunt::is_early() const {
  return settings_.steers && next_suspect_ < std::min(kFirstSuspects, suspects_.size());
}

bool Hunt::is_turn_of_suspects(bool delays) {
  if (!settings_.steers) return false;
  // What other hunters have tried often enough.
  while (next_suspect_ < kRoundsOfSuspects * suspects_.size() &&
         suspects_[next_suspect_ % suspects_.size()].tries >= kTriesPerGoal) {
    ++next_suspect_;
  }
  if (next_suspect_ >= kRoundsOfSuspects * suspects_.size()) return false;
  if (is_early()) return !settings_.serial || next_suspect_ < serial_runs_;
  if (settings_.serial && serial_seconds_ <= other_seconds_) return false;
  return ++turns_ % 2 == 0 || !delays;
}

Result<void> Hunt::perform(const Job& job) {
  auto run = job.serial ? start_serially(*job.serial) : start(job.options);
  if (!run) return tl::unexpected(run.error());
  if (interrupted_) return {};
  if (job.serial) take_serial_result(*job.serial);
  count_time(job, run->seconds);
  const std::size_t known = violations_.size(), failed = failures_.size();
  take_failure(*run, job);
  const bool found = run->run.watcher->found();
  if (job.goal != nullptr) judge_goal(*job.goal, *run, found);
  if (found) take_violations(*run, job);
  const bool is_news = violations_.size() > known;
  if (is_news || failures_.size() > failed) latest_news_ = untargeted_runs();
  if (is_over() || !settings_.steers || job.serial) return {};
  // What happened leads to places where ordinary runs never come.
  const bool is_due = job.goal == nullptr && seed_ % kRecordEvery == 0;
  if (is_news || is_due) return record(job.options);
  return {};
}

void Hunt::count_time(const Job& job, double seconds) {
  constexpr double kMost = 1;  // a run that hangs says nothing of its way
  const double some = std::min(seconds, kMost);
  if (job.way == "steered") goal_seconds_ += seconds;
  if (job.serial) serial_seconds_ += some;
  if (!job.serial && job.way != "steered") other_seconds_ += some;
}

void Hunt::judge_goal(Goal& goal, const HuntedRun& run, bool found) {
  const wire::Counters& counters = run.run.channel->counters();
  const bool happened = found && counters.steered_to_end > 0;
  goal.confirmed |= happened || report::has_cause(run.run.watcher->report(), goal.target.cause);
  if (counters.steered_to_end > 0) {
    goal.why_not = "it happened in this order, and was no violation";
  } else if (counters.steering_blocked > 0) {
    goal.why_not = fmt::format("after step {} of {} the threads waited for each other",
                               counters.steered_steps.load(), goal.target.steps.size());
  } else {
    goal.why_not = fmt::format("step {} of {} never came", counters.steered_steps + 1,
                               goal.target.steps.size());
  }
  tell_outcome(goal);
}

// Prints what is new, and keeps the run.
void Hunt::take_violations(HuntedRun& run, const Job& job) {
  const report::Report report = run.run.watcher->report();
  std::vector<const report::Cause*> causes;
  for (const report::Cause& cause : report.causes) causes.push_back(&cause);
  if (report.cycle_cause) causes.push_back(&*report.cycle_cause);
  const std::string way = fmt::format("run {}, {}", job.run == 0 ? runs_ : job.run, job.way);
  std::vector<std::string> fresh;
  for (const report::Cause* cause : causes) {
    if (ground_ && ground_->sees_known(cause->id)) continue;
    const auto [entry, is_new] = violations_.try_emplace(cause->id, Catch{cause->id, way, "", ""});
    if (!is_new) {
      ++entry->second.seen;
      improve(entry->second, job);
      continue;
    }
    fresh.push_back(cause->id);
    save(entry->second, job, cause);
    report::Cause told = *cause;
    told.found_by = entry->second.sentences;
    render_cause(report, told, settings_.watch.style, *settings_.log);
  }
  tell_violations(report, fresh);
  if (!fresh.empty()) kept_.push_back({std::move(run), std::move(fresh)});
}

void Hunt::take_failure(const HuntedRun& run, const Job& job) {
  if (run.ending == Ending::kCut) return;
  // A status that every run has is how the program ends.
  const bool as_usual = run.run.status == plain_status_ && !succeeds_;
  const bool succeeded = run.ending == Ending::kExit && run.run.status == 0;
  if (succeeded && !std::exchange(succeeds_, true) && plain_failure_) {
    // So the first run has failed.
    Job first;
    first.way = "recorded";
    first.run = 1;
    const HuntedRun failed = std::move(*plain_failure_);
    plain_failure_.reset();
    return take_failure(failed, first);
  }
  if (succeeded || (run.ending == Ending::kExit && as_usual)) return;
  // The runtime's own status for what it has found.
  if (run.ending == Ending::kExit && run.run.watcher->found() &&
      WEXITSTATUS(run.run.status) == 66) {
    return;
  }
  const hunt::FailedRun failed = run.failure(settings_.program.path);
  const std::string id = id_of(failed), how = in_words(failed);
  for (Catch& known : failures_) {
    if (known.id != id) continue;
    ++known.seen;
    return improve(known, job);
  }
  if (ground_ && ground_->sees_known(id)) return;
  const std::string way = fmt::format("run {}, {}", job.run == 0 ? runs_ : job.run, job.way);
  settings_.log->write(fmt::format("════ Omnium: the program failed: {} ({})\n", how, way));
  if (!run.output.empty()) {
    settings_.log->write(fmt::format("  the end of its output:\n{}{}", run.output,
                                     run.output.back() == '\n' ? "" : "\n"));
  }
  failures_.push_back({id, way, "", "", 1, how, report_of_failure(run, failed)});
  for (const std::string& wait : lock_waits(*failures_.back().report.causes.front().failure)) {
    settings_.log->write(fmt::format("  {}\n", wait));
  }
  hangs_ |= run.ending == Ending::kTooLong;
  Catch failure = failures_.back();  // more of them may be added meanwhile
  const std::size_t number = failures_.size() - 1;
  save(failure, job, nullptr);
  settings_.log->write(fmt::format("  {}\n  {}\n", failure.sentences,
                                   "To suppress:  " + suppression_line(failure.report.causes[0])));
  if (ground_) ground_->add_failure(how, way, failure.sentences, id);
  if (ground_) ground_->add_run(told(failure));
  failure.seen = failures_[number].seen;
  failures_[number] = std::move(failure);
}

// The names of the run are gone when it is told.
report::Report Hunt::report_of_failure(const HuntedRun& run, const hunt::FailedRun& failed) {
  const report::Report whole = run.run.watcher->report();
  report::Report out;
  out.path = whole.path;
  out.run_id = whole.run_id;
  out.run = whole.run;
  out.sample = whole.sample;
  out.engine = whole.engine;
  out.mode = whole.mode;
  out.seconds = run.seconds;
  out.causes.push_back(cause_of(failed, failure_names_));
  return out;
}

report::Report Hunt::told(const Catch& failure) {
  report::Report out = failure.report;
  out.causes.front().found_by = failure.sentences;
  out.causes.front().count = failure.seen;
  return out;
}

int Hunt::repeats(const std::string& steps, const std::string& id, int tries) {
  const std::string path = steps_file(steps);
  int again = 0;
  for (int i = 0; i < tries && !is_over(); ++i) {
    const auto run = start(with("", "steer", path));
    if (!run || interrupted_) break;
    again += shows(*run, id);
  }
  return again;
}

// Steps that may lead to the catch again. Those of a finding itself are better than what it was
// found by.
std::vector<std::string> Hunt::steps_towards(const Job& job, const report::Cause* cause) const {
  std::vector<std::string> out;
  if (const auto target = cause != nullptr ? hunt::target_of(*cause) : std::nullopt) {
    if (auto steps = to_text(*target, places_)) out.push_back(std::move(*steps));
  }
  if (!job.steps.empty()) out.push_back(job.steps);
  return out;
}

// The ones of these that do, and how often.
std::pair<std::string, int> Hunt::best_steps(const std::vector<std::string>& ways,
                                             const std::string& id) {
  std::pair<std::string, int> best;
  for (const std::string& steps : ways) {
    if (best.second == kReplays) continue;
    const int again = repeats(steps, id, kReplays);
    if (again > best.second) best = {steps, again};
  }
  return best;
}

// Steps that led there in each of a few replays may fail in one of ten. More replays show that, for
// a moment: how many of how many, if one of them failed.
std::pair<int, int> Hunt::doubted(const std::string& steps, const std::string& id) {
  constexpr int kMore = 25;
  constexpr double kMoment = 0.5;  // seconds
  const double until = elapsed() + kMoment;
  for (int i = 1; i <= kMore && elapsed() < until && !is_over(); ++i) {
    if (repeats(steps, id, 1) == 0 && !is_over()) return {kReplays + i - 1, kReplays + i};
  }
  return {kReplays, kReplays};
}

hunt::ScheduleFile Hunt::schedule_of(const Catch& found) const {
  hunt::ScheduleFile schedule;
  schedule.command = settings_.program.arguments;
  schedule.build = hunt::build_of(settings_.program.path);
  schedule.options = settings_.runtime;
  schedule.environment = settings_.environment;
  schedule.cause = found.id;
  schedule.failure = found.how;
  schedule.found = found.way;
  schedule.command.front() =
      std::filesystem::absolute(settings_.program.path).lexically_normal().string();
  return schedule;
}

void Hunt::save(Catch& found, const Job& job, const report::Cause* cause) {
  found.sentences = fmt::format("Found in {}.", found.way);
  hunt::ScheduleFile schedule = schedule_of(found);
  const std::vector<std::string> ways = steps_towards(job, cause);
  SerialSchedule serial = exact_switches(job, ways, found.id);
  int again = 0, replays = kReplays;
  if (serial.again < kReplays) {
    std::tie(schedule.steps, again) = best_steps(ways, found.id);
    if (again == kReplays) std::tie(again, replays) = doubted(schedule.steps, found.id);
    if (again < replays && settings_.serial && !job.serial) serial = switches_by_search(found.id);
  }
  if (serial.again * replays > again * kReplays) {
    again = serial.again;
    replays = kReplays;
    schedule.is_serial = true;
    schedule.switches = to_text(serial.plan);
    if (!ways.empty()) schedule.switches += hunt::comments_of(ways.front());
    schedule.steps.clear();
  }
  if (again == 0) {
    schedule.perturb = job.perturb;
    schedule.pause = job.pause;
    if (!job.pause.empty()) schedule.places = hunt::text_of_places(unprotected_);
    if (schedule.perturb.empty() && schedule.pause.empty()) return;
  }
  keep(found, schedule, {again, replays});
}

// A serial run that ended in what is known: it may be followed exactly, if nothing else is.
void Hunt::improve(Catch& known, const Job& job) {
  constexpr int kMostTrials = 4;
  if (known.is_exact || !job.serial || known.trials++ == kMostTrials) return;
  const SerialSchedule serial = exact_switches(job, {}, known.id);
  if (serial.again < kReplays) return;
  hunt::ScheduleFile schedule = schedule_of(known);
  schedule.is_serial = true;
  schedule.switches = to_text(serial.plan);
  keep(known, schedule, {serial.again, kReplays});
  settings_.log->write(fmt::format("{}: {}\n", known.id, known.sentences));
}

bool Hunt::has_inexact() const {
  const auto is_inexact = [](const Catch& it) { return !it.is_exact; };
  return std::ranges::any_of(failures_, is_inexact) ||
         std::ranges::any_of(violations_, [&](const auto& it) { return is_inexact(it.second); });
}

// `again`: in so many of so many replays.
void Hunt::keep(Catch& found, const hunt::ScheduleFile& schedule, std::pair<int, int> replays) {
  const auto [again, all] = replays;
  found.is_exact = again == all;
  found.replay = store(found, schedule);
  const std::string named = shell_word(found.replay);
  found.sentences =
      again == 0
          ? fmt::format("Found in {}. To try again: omnium replay --times 100 {}", found.way, named)
          : fmt::format("Found in {}, again in {} of {} replays. To run it again: omnium replay {}",
                        found.way, again, all, named);
}

std::vector<report::Report> Hunt::reports() const {
  std::vector<report::Report> out;
  for (const Kept& kept : kept_) {
    report::Report report = kept.run.run.watcher->report();
    report::keep_causes(report, kept.ids);
    const auto tell = [&](report::Cause& cause) {
      cause.found_by = violations_.at(cause.id).sentences;
    };
    std::ranges::for_each(report.causes, tell);
    if (report.cycle_cause) tell(*report.cycle_cause);
    out.push_back(std::move(report));
  }
  for (const Catch& failure : failures_) out.push_back(told(failure));
  if (ground_) std::ranges::move(ground_->reports(), std::back_inserter(out));
  return out;
}

void Hunt::show_progress() const {
  if (!settings_.progress) return;
  const auto open = std::ranges::count_if(
      goals_, [](const Goal& goal) { return !goal.confirmed && goal.tries < kTriesPerGoal; });
  settings_.log->write(fmt::format(
      "\r\033[Komnium hunt: {} of {} targets open, {} runs, {:.0f} per second, {} found, {:.0f} s "
      "left",
      open, goals_.size(), runs_, static_cast<double>(runs_) / elapsed(),
      violations_.size() + failures_.size(), std::max(0.0, settings_.seconds - elapsed())));
}

void Hunt::print_summary() const {
  support::ByteSink& log = *settings_.log;
  const std::string program = printable(settings_.program.path, 4096);
  log.write(fmt::format("{}: {} in {}, {:.1f} s\n", program,
                        !violations_.empty() || !failures_.empty() ? "found"
                        : ground_                                  ? "nothing new happened"
                                                                   : "nothing happened",
                        report::count_of(runs_, "run"), elapsed()));
  for (const auto& [id, one] : violations_) {
    log.write(fmt::format("  {}  {}, seen in {}{}\n", id, one.way,
                          report::count_of(one.seen, "run"),
                          one.replay.empty() ? "" : ", " + one.replay));
  }
  for (const Catch& one : failures_) {
    log.write(fmt::format("  {}  the program failed: {}  {}, seen in {}\n", one.id, one.how,
                          one.way, report::count_of(one.seen, "run")));
  }
  for (const Goal& goal : goals_) {
    if (goal.confirmed || goal.tries == 0) continue;
    log.write(fmt::format("  not confirmed: {} ({}), tried {}: {}\n", goal.target.cause, goal.grade,
                          times(goal.tries), goal.why_not));
  }
  const auto untried = std::ranges::count_if(
      goals_, [](const Goal& goal) { return !goal.confirmed && goal.tries == 0; });
  if (untried != 0 && settings_.steers) {
    log.write(fmt::format(
        "  not tried: {}, since {} over\n",
        report::count_of(static_cast<std::uint64_t>(untried), "more target"),
        settings_.runs != 0 && runs_ >= settings_.runs ? "all runs were" : "the time was"));
  }
  if (WIFEXITED(plain_status_) && plain_status_ != 0 && !succeeds_) {
    log.write(fmt::format("  every run ended with exit status {}, so that is no finding\n",
                          WEXITSTATUS(plain_status_)));
  }
  print_known();
  if (interrupted_) log.write("  interrupted\n");
}

}  // namespace omnium::cli
