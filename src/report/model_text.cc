// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/model_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/object_names.h"
#include "report/paint.h"
#include "report/words.h"
#include "report/wrap.h"
#include "support/display.h"

namespace omnium::report {

namespace {

using model::Answer;
using support::terminal_text;

// The run as a list: thread, operation, place.
std::string listing(const MemoryTrace& run) {
  std::string out;
  std::size_t width = 0;
  for (const Event& event : run.events) {
    width = std::max(
        width, support::display_width(terminal_text(run.names.threads.name(event.thread_id))));
  }
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const Event& event = run.events[i];
    const EventView view{i, event.kind, run.names.threads.name(event.thread_id),
                         object_name(event, run.names), position(event.loc(), run.names)};
    const std::string thread = support::fit_to_width(terminal_text(view.thread), width);
    out += fmt::format("  {:>4}  {}  {}  {}\n", i + 1, thread,
                       support::fit_to_width(cell(view), 28), place(view.location));
  }
  return out;
}

std::string explored(const model::Outcome& outcome) {
  const double seconds = std::max(outcome.seconds, 1e-9);
  return fmt::format(
      "explored {}, {}, depth {}, in {:.3f} s ({:.2f} M transitions/s); {} of {} each, {:.1f} MB\n",
      count_of(outcome.states, "state"), count_of(outcome.transitions, "transition"), outcome.depth,
      outcome.seconds, static_cast<double>(outcome.transitions) / seconds / 1e6,
      outcome.states == 1 ? "state" : "states", count_of(outcome.state_bytes, "byte"),
      static_cast<double>(outcome.memory) / 1e6);
}

// Was it said before, or is it not wanted?
bool is_told(const Report& finding) {
  const auto news = [](const Cause& cause) { return cause.marks.news(); };
  return std::any_of(finding.causes.begin(), finding.causes.end(), news) ||
         (finding.cycle_cause && finding.cycle_cause->marks.news());
}

std::string verdict(const ModelReport& report, const Paint& paint) {
  const model::Outcome& outcome = *report.outcome;
  switch (outcome.answer) {
    case Answer::kSerializable: return paint.green("all runs serializable");
    case Answer::kNotSerializable:
      return paint.red(fmt::format("not{}serializable", kBlank)) +
             fmt::format(": {} counterexample has {}{}", outcome.shortest ? "the shortest" : "a",
                         count_of(outcome.run.size(), "event"),
                         report.finding && !is_told(*report.finding)
                             ? "; it is suppressed or in the baseline"
                             : "");
    case Answer::kUnknown:
      return paint.yellow("no verdict") +
             fmt::format(": gave up after {}; --max-states and --max-memory set the limits",
                         count_of(outcome.states, "state"));
    case Answer::kBadModel: break;  // told as an error
  }
  return {};
}

}  // namespace

void render_model_text(const ModelReport& report, const TextStyle& style, support::ByteSink& out) {
  const model::Outcome& outcome = *report.outcome;
  const Paint paint(style.colour);
  if (report.finding) {
    TextStyle findings = style;  // the verdict on the model follows, and there is only one
    findings.part = TextPart::kFindings;
    render_text(*report.finding, findings, out);
  }
  if (outcome.answer == Answer::kBadModel && report.run != nullptr) {
    out.write(fmt::format("{}:{}:{}: {}, after this run:\n", terminal_text(report.path),
                          outcome.fault.at.line, outcome.fault.at.column,
                          outcome.fault.message()));
    out.write(listing(*report.run));
  }
  if (report.deadlock != nullptr) {
    std::vector<std::string> stuck;
    for (const std::uint32_t t : outcome.stuck) {
      stuck.push_back(terminal_text(report.model->threads[t].name));
    }
    out.write(paint.yellow(fmt::format("deadlock: after {}, {} {} deadlocked\n",
                                       count_of(report.deadlock->events.size(), "event"),
                                       listed(stuck), stuck.size() == 1 ? "is" : "are")));
    out.write(listing(*report.deadlock) + "\n");
  }
  if (const std::string text = verdict(report, paint); !text.empty()) {
    out.write(wrapped(fmt::format("{}: {}", terminal_text(report.path), text), style.width, 0, 2));
  }
  if (report.stats) out.write(explored(outcome));
}

}  // namespace omnium::report
