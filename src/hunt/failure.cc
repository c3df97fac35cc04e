// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/failure.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "finding/function_class.h"
#include "hunt/corpus.h"
#include "support/place.h"
#include "support/text_file.h"

namespace omnium::hunt {

namespace {

using Kind = FailedRun::Kind;

constexpr std::size_t kMostLines = 20, kLongestLine = 500;
constexpr std::string_view kIdBegins = "fl-";

std::vector<std::string> last_lines(std::string_view output) {
  std::vector<std::string> out;
  for (const std::string_view line : support::lines_of(output)) {
    out.emplace_back(line.substr(0, kLongestLine));
  }
  if (out.size() > kMostLines) out.erase(out.begin(), out.end() - kMostLines);
  return out;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// What stays the same if lines are added above: the function, or the whole place if it names none.
std::string lasting(std::string_view place) {
  const support::Place parts = support::place_of(place);
  return parts.function.empty() ? std::string(place) : function_class(parts.function);
}

// "forks[3]": which one it is depends on the run.
std::string without_numbers(std::string_view name) {
  std::string out;
  bool inside = false;
  for (const char c : name) {
    if (c == ']') inside = false;
    if (!inside) out += c;
    if (c == '[') inside = true;
  }
  return out;
}

// The locks for which threads wait in a circle. Others, which wait for one of these threads, may be
// there or not.
std::set<std::string> locks_in_circle(const std::vector<report::LockWait>& waits) {
  std::map<std::string_view, const report::LockWait*> by_thread;
  for (const report::LockWait& wait : waits) by_thread.emplace(wait.thread, &wait);
  std::set<std::string> out;
  for (const report::LockWait& wait : waits) {
    std::string_view at = wait.held_by;
    for (std::size_t i = 0; i < waits.size() && at != wait.thread; ++i) {
      const auto next = by_thread.find(at);
      if (next == by_thread.end()) break;
      at = next->second->held_by;
    }
    if (at == wait.thread) out.insert(without_numbers(wait.lock));
  }
  return out;
}

bool has_assertion(const FailedRun& run) {
  return run.kind == Kind::kCrash && !run.assertion.text.empty();
}

// What tells a failure from others of its kind.
std::vector<std::string> marks_of(const FailedRun& run) {
  const std::string program(file_name(run.program));
  if (has_assertion(run)) {
    const Assertion& assertion = run.assertion;
    const std::string file = assertion.location.substr(0, assertion.location.rfind(':'));
    return {std::string(file_name(file)), assertion.function, assertion.text};
  }
  if (run.kind == Kind::kUseAfterFree || run.kind == Kind::kDoubleFree) {
    return {lasting(run.place), lasting(run.freed)};
  }
  if (run.kind == Kind::kHang) return {program};  // `what` tells how long
  if (run.kind == Kind::kCrash) return {program, run.what, lasting(run.place)};
  std::vector<std::string> out = {program, run.what};
  // Of a deadlock.
  std::ranges::copy(locks_in_circle(run.waits), std::back_inserter(out));
  return out;
}

std::string_view pattern_of(const FailedRun& run) {
  return has_assertion(run) ? kFailedAssertion : to_string(run.kind);
}

std::string in_words(const Assertion& assertion) {
  return fmt::format("assertion failed: {} ({} in {})", assertion.text, assertion.location,
                     assertion.function);
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::kCrash: return "crash";
    case Kind::kExitStatus: return "exit status";
    case Kind::kDeadlock: return "deadlock";
    case Kind::kHang: return "hang";
    case Kind::kUseAfterFree: return "use after free";
    case Kind::kDoubleFree: return "double free";
  }
  return "crash";
}

std::string in_words(const FailedRun& run) {
  if (has_assertion(run)) return fmt::format("{}: {}", run.what, in_words(run.assertion));
  const bool has_place = run.kind == Kind::kCrash && !run.place.empty();
  return has_place ? fmt::format("{} at {}", run.what, run.place) : run.what;
}

// "fl-7f3a12c9"
std::string id_of(const FailedRun& run) {
  std::string key(pattern_of(run));
  for (const std::string& mark : marks_of(run)) {
    key += fmt::format("{}:{}", mark.size(), mark);
  }
  return fmt::format("{}{}", kIdBegins, hash_of(key).substr(0, 8));
}

bool is_failure_id(std::string_view id) { return id.starts_with(kIdBegins); }

report::Cause cause_of(const FailedRun& run, support::Interner& names) {
  const auto kept = [&](std::string_view text) { return names.name(names.intern(text)); };
  const bool asserted = has_assertion(run);
  const Assertion& assertion = run.assertion;
  report::Cause out;
  out.pattern = pattern_of(run);
  out.id = id_of(run);
  const support::Place place = support::place_of(run.place);
  const std::string_view function =
      asserted ? std::string_view(assertion.function) : place.function;
  out.event_location = kept(asserted ? std::string_view(assertion.location) : place.position);
  out.block.thread = kept("");
  if (!function.empty()) out.block.label = kept(function);
  report::Failure failure;
  failure.what = asserted ? in_words(assertion) : run.what;
  failure.freed = support::place_of(run.freed).position;
  failure.waits = run.waits;
  failure.output = last_lines(run.output);
  out.failure = std::move(failure);
  out.count = 1;
  return out;
}

}  // namespace omnium::hunt
