// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/hunting_ground.h"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "cli/terminal.h"
#include "hunt/failure.h"
#include "hunt/schedule_file.h"
#include "report/json.h"
#include "support/text_file.h"

namespace omnium::cli {

namespace {

constexpr std::string_view kRun = "run-", kFailed = "failed-", kTarget = "target-",
                           kSerial = "serial-", kConfirmed = "confirmed", kGivenUp = "given-up";
constexpr std::chrono::seconds kBetweenLooks{1};
constexpr std::uint64_t kMostSerials = 256;

// Numbers of one hunter: it never needs so many.
constexpr int kBitsPerHunter = 16;

std::string line(std::string_view word, std::string_view text) {
  return fmt::format("{} {}\n", word, hunt::escaped(text));
}

// The text behind the word, in the first line that begins with it.
std::optional<std::string> text_of(std::string_view lines, std::string_view word) {
  for (const std::string_view it : support::lines_of(lines)) {
    if (it.size() > word.size() && it.starts_with(word) && it[word.size()] == ' ') {
      return hunt::unescaped(it.substr(word.size() + 1));
    }
  }
  return std::nullopt;
}

tl::unexpected<Error> unreadable(const std::string& path) {
  return fail({path}, "cannot be understood");
}

std::vector<const report::Cause*> causes_of(const report::Report& report) {
  std::vector<const report::Cause*> out;
  for (const report::Cause& cause : report.causes) out.push_back(&cause);
  if (report.cycle_cause) out.push_back(&*report.cycle_cause);
  return out;
}

}  // namespace

Result<std::unique_ptr<HuntingGround>> HuntingGround::open(const std::string& directory,
                                                           const hunt::Hunted& hunted) {
  auto corpus = hunt::Corpus::open(directory, hunted);
  if (!corpus) return tl::unexpected(corpus.error());
  return std::unique_ptr<HuntingGround>(new HuntingGround(std::move(*corpus)));
}

HuntingGround::HuntingGround(hunt::Corpus corpus) : corpus_(std::move(corpus)) {
  std::random_device random;
  first_number_ = std::uint64_t{random()} << kBitsPerHunter;
}

void HuntingGround::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_look_ < kBetweenLooks) return;
  last_look_ = now;
  for (const std::string& name : corpus_.news()) read(name);
}

void HuntingGround::read(const std::string& name) {
  Result<void> taken;
  if (name.starts_with(kRun) && name.ends_with(".json")) {
    taken = take_run(name);
  } else if (name.starts_with(kFailed)) {
    taken = take_failure(name);
  } else if (name.starts_with(kTarget)) {
    taken = take_outcome(name);
  } else if (name.starts_with(kSerial)) {
    taken = take_serial(name);
  }
  if (!taken) {
    print_warning(fmt::format("{}: {}: ignored", corpus_.path_of(name), taken.error().message));
  }
}

Result<void> HuntingGround::take_run(const std::string& name) {
  auto stored = report::StoredReports::read_file(corpus_.path_of(name));
  if (!stored) return tl::unexpected(stored.error());
  bool is_news = false;
  for (const report::Report& report : stored->reports()) {
    if (!report.run || report.run_id.empty()) return unreadable(name);
    for (const report::Cause* cause : causes_of(report)) {
      if (is_failure(*cause)) {
        is_news |= told_failures_.insert(cause->id).second;
        continue;
      }
      const std::string schedule = corpus_.path_of(cause->id + ".omh");
      is_news |= known_.try_emplace(cause->id, Known{cause->id, cause->found_by, schedule}).second;
    }
  }
  if (is_news) runs_.push_back(std::move(*stored));
  return {};
}

Result<void> HuntingGround::take_failure(const std::string& name) {
  const auto text = corpus_.read_text(name);
  if (!text) return tl::unexpected(text.error());
  const auto how = text_of(*text, "failure"), sentences = text_of(*text, "sentences"),
             id = text_of(*text, "id");
  if (!how || !sentences || !id) return unreadable(name);
  known_.try_emplace(*id, Known{"the program failed: " + *how, *sentences, "", 0});
  return {};
}

Result<void> HuntingGround::take_outcome(const std::string& name) {
  const auto text = corpus_.read_text(name);
  if (!text) return tl::unexpected(text.error());
  const auto outcome = text_of(*text, "outcome");
  if (!outcome || (*outcome != kConfirmed && *outcome != kGivenUp)) return unreadable(name);
  outcomes_[name.substr(kTarget.size())] = {*outcome == kConfirmed,
                                            text_of(*text, "cause").value_or(""),
                                            text_of(*text, "why").value_or("")};
  return {};
}

Result<void> HuntingGround::take_serial(const std::string& name) {
  const auto text = corpus_.read_text(name);
  if (!text) return tl::unexpected(text.error());
  auto plan = hunt::read_plan(*text);
  if (!plan) return tl::unexpected(plan.error());
  ++stored_serials_;
  plan->loose = true;
  kept_.push_back(std::move(*plan));
  return {};
}

// A hunter that cannot write hunts on.
void HuntingGround::added(const Result<bool>& result) {
  if (result || warned_) return;
  warned_ = true;
  print_warning(fmt::format("{}: others will not know it", result.error().to_string()));
}

const HuntingGround::Outcome* HuntingGround::outcome_of(const std::string& steps) const {
  const auto found = outcomes_.find(hunt::hash_of_way(steps));
  return found == outcomes_.end() ? nullptr : &found->second;
}

void HuntingGround::settle(const std::string& steps, const Outcome& outcome) {
  std::string text = line("outcome", outcome.confirmed ? kConfirmed : kGivenUp);
  if (!outcome.cause.empty()) text += line("cause", outcome.cause);
  if (!outcome.why.empty()) text += line("why", outcome.why);
  const std::string hash = hunt::hash_of_way(steps);
  outcomes_[hash] = outcome;
  added(corpus_.add_text(fmt::format("{}{}", kTarget, hash), text + steps));
}

bool HuntingGround::sees_known(const std::string& id) {
  const auto found = known_.find(id);
  if (found == known_.end()) return false;
  ++found->second.seen;
  return true;
}

bool HuntingGround::knows_untold_failures() const {
  return std::ranges::any_of(known_, [&](const auto& it) {
    return hunt::is_failure_id(it.first) && !told_failures_.contains(it.first);
  });
}

void HuntingGround::add_run(const report::Report& report) {
  const auto causes = causes_of(report);
  if (causes.empty()) return;
  support::StringSink text;
  render_json(report, text);
  // A run may be violated and fail.
  const std::string_view which = is_failure(*causes.front()) ? "-failed" : "";
  added(corpus_.add(fmt::format("{}{}{}.json", kRun, report.run_id, which), text.text()));
}

void HuntingGround::add_failure(const std::string& how, const std::string& way,
                                const std::string& sentences, const std::string& id) {
  const std::string name = fmt::format("{}{}", kFailed, id);
  added(corpus_.add_text(name, line("failure", how) + line("way", way) +
                                   line("sentences", sentences) + line("id", id)));
}

std::vector<report::Report> HuntingGround::reports() const {
  std::vector<report::Report> out;
  for (const report::StoredReports& run : runs_) {
    const auto some = run.reports();
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

std::string HuntingGround::add_schedule(const std::string& name, const std::string& text) {
  added(corpus_.add_text(name, text));
  return corpus_.path_of(name);
}

std::optional<hunt::SerialPlan> HuntingGround::next_kept() {
  if (kept_.empty() || ++turns_ % 2 == 0) return std::nullopt;
  hunt::SerialPlan plan = std::move(kept_.front());
  kept_.pop_front();
  return plan;
}

void HuntingGround::keep(const hunt::SerialPlan& plan, const hunt::SerialResult& result) {
  if (!result.is_exact || result.last_new == 0 || stored_serials_ >= kMostSerials) return;
  hunt::SerialPlan kept;
  kept.hasty = plan.hasty;
  for (const hunt::Switch& one : result.switches) {
    if (one.time <= result.last_new) kept.switches.push_back(one);
  }
  if (kept.switches.empty()) return;
  ++stored_serials_;
  const std::string text = to_text(kept);
  added(corpus_.add_text(fmt::format("{}{}", kSerial, hunt::hash_of_way(text)), text));
}

}  // namespace omnium::cli
