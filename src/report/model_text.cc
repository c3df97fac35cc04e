// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/model_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/object_names.h"
#include "report/paint.h"
#include "report/words.h"
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

std::string verdict(const ModelReport& report, const Paint& paint) {
  const model::Outcome& outcome = *report.outcome;
  switch (outcome.answer) {
    case Answer::kSerializable: return paint.green("all runs serializable");
    case Answer::kNotSerializable:
      return paint.red(fmt::format("not serializable: {} counterexample has {}",
                                   outcome.shortest ? "the shortest" : "a",
                                   count_of(outcome.run.size(), "event")));
    case Answer::kUnknown:
      return paint.yellow(
          fmt::format("no verdict: gave up after {}", count_of(outcome.states, "state")));
    case Answer::kBadModel:
      return paint.red(fmt::format("{} at {}:{}", outcome.fault.message(), outcome.fault.at.line,
                                   outcome.fault.at.column));
  }
  return {};
}

}  // namespace

void render_model_text(const ModelReport& report, const TextStyle& style, support::ByteSink& out) {
  const model::Outcome& outcome = *report.outcome;
  const Paint paint(style.colour);
  if (report.finding) {
    render_text(*report.finding, style, out);
    out.write("\n");
  }
  if (outcome.answer == Answer::kBadModel && report.run != nullptr) {
    out.write("a run that leads to the error:\n" + listing(*report.run) + "\n");
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
  out.write(fmt::format("{}: {}\n", terminal_text(report.path), verdict(report, paint)));
  out.write(explored(outcome));
}

}  // namespace omnium::report
