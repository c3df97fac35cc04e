// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/profile.h"

#include <algorithm>
#include <utility>

#include "event/for_check.h"
#include "spec/specification.h"

namespace omnium {

namespace {

// Labels of main functions, C++ and Java.
constexpr std::string_view kMain[] = {"main", "main(*", "*.main(*"};

// Labels of functions that wait for a condition.
constexpr std::string_view kWaits[] = {
    "pthread_cond_wait*",      "pthread_cond_timedwait*",
    "pthread_cond_clockwait*", "cnd_wait*",
    "cnd_timedwait*",          "std::condition_variable*::wait*",
    "*java/lang/Object.wait*", "*java.lang.Object.wait*",
};

bool matches_any(std::span<const std::string_view> globs, std::string_view label) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](std::string_view glob) { return glob_match(glob, label); });
}

}  // namespace

std::optional<Profile> find_profile(std::string_view name) {
  if (name == "naive") return Profile::kNaive;
  if (name == "paper") return Profile::kPaper;
  return std::nullopt;
}

void ProfileSurvey::look_at(std::span<const Event> events, const Names& names) {
  threads_.resize(std::max<std::size_t>(threads_.size(), names.threads.size()));
  if (first_) bodies_gone_ = has_remark(events, names, kUndeclaredSignal);
  first_ = false;
  for (const Event& event : events) {
    Thread& thread = threads_[event.thread_id];
    if (event.kind == Kind::kBegin) begin(thread, event.label(), names);
    if (event.kind == Kind::kEnd && !thread.open.empty()) thread.open.pop_back();
    if (event.kind == Kind::kFork) threads_[event.object].forked = true;
    if (event.kind == Kind::kWait && profile_ == Profile::kPaper) exclude_open(thread, names);
    if (event.kind == Kind::kSignal) {
      const std::string_view of = names.threads.name(event.thread_id);
      thread.body_is_next |= names.signals.name(event.object) == name_of_body(of);
    }
    thread.acted = true;
  }
}

void ProfileSurvey::begin(Thread& thread, LabelId label, const Names& names) {
  const std::string_view name = names.labels.name(label.v);
  const bool starts_thread = thread.forked && !thread.acted && !bodies_gone_;
  const bool is_body = starts_thread || std::exchange(thread.body_is_next, false);
  if (is_body || matches_any(kMain, name)) excluded_.emplace(name);
  thread.open.push_back(label);
  if (profile_ == Profile::kPaper && matches_any(kWaits, name)) exclude_open(thread, names);
}

void ProfileSurvey::exclude_open(const Thread& thread, const Names& names) {
  for (const LabelId open : thread.open) excluded_.emplace(names.labels.name(open.v));
}

}  // namespace omnium
