// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A predicted finding is what `omnium check` would say if it happened: of the warned transaction,
// from a small part of the interleaving, once per cause.
#include "report/predicted_causes.h"

#include <numeric>

#include <gtest/gtest.h>

#include "report/interleaving_window.h"
#include "tests/report/report_of.h"
#include "tests/support/environment.h"
#include "tests/support/random_rich_trace.h"
#include "tests/support/random_trace.h"

namespace omnium::test {
namespace {

using predict::Grade;
using predict::Warning;
using report::Status;

constexpr std::string_view kTransfer = R"(
  w2: begin(transfer) acq(m) r(b) rel(m)                                acq(m) w(b) rel(m) end
  w5:                                    begin(deposit) acq(m) w(b) rel(m)                   end )";

constexpr CheckMode kMode{Conflicts::kData, Waits::kSplit};

predict::LoadedTrace loaded(const Trace& trace) {
  predict::LoadedTrace out;
  out.events = trace.events;
  out.extent = trace.names.extent();
  return out;
}

CheckOutcome checked(const Trace& trace) {
  MemorySource source(trace);
  CheckOptions options;
  options.mode = kMode;
  auto outcome = check_trace(source, *find_engine(kDefaultEngine), options);
  CHECK(outcome.has_value());
  return std::move(*outcome);
}

// What `omnium check` says of one violation of the trace.
report::Report said_of(const Trace& trace, CheckOutcome outcome, std::size_t violation) {
  outcome.violations = {outcome.violations[violation]};
  MemorySource source(trace);
  return report::report_outcome(source, "", *find_engine(kDefaultEngine), outcome);
}

Warning warning_of(const BlockRef& transaction, std::vector<EventIndex> order,
                   Grade grade = Grade::kPossible) {
  Warning warning;
  warning.transaction = transaction;
  warning.grade = grade;
  warning.interleaving = predict::Interleaving{0, std::move(order)};
  return warning;
}

std::vector<EventIndex> from(EventIndex first, EventIndex last) {
  std::vector<EventIndex> out(last - first);
  std::iota(out.begin(), out.end(), first);
  return out;
}

report::PredictedCauses causes_of(const std::vector<Warning>& warnings, const Trace& trace,
                                  std::size_t pictures = 100) {
  return report::predicted_causes(warnings, loaded(trace), trace.names, Waits::kSplit, pictures);
}

// The events of a drawn interleaving, recorded thread after thread, and the way back to it.
struct Recorded {
  Trace trace;
  std::vector<EventIndex> order;
};
Recorded recorded_serially(const Trace& interleaving) {
  Recorded out;
  const auto copy = [](const support::Interner& names, support::Interner& to) {
    for (std::uint32_t id = 0; id < names.size(); ++id) to.intern(names.name(id));
  };
  copy(interleaving.names.threads, out.trace.names.threads);
  copy(interleaving.names.variables, out.trace.names.variables);
  copy(interleaving.names.locks, out.trace.names.locks);
  copy(interleaving.names.labels, out.trace.names.labels);
  copy(interleaving.names.locations, out.trace.names.locations);
  copy(interleaving.names.signals, out.trace.names.signals);
  std::vector<EventIndex> place(interleaving.events.size());
  for (std::uint32_t thread = 0; thread < interleaving.names.threads.size(); ++thread) {
    for (std::size_t i = 0; i < interleaving.events.size(); ++i) {
      if (interleaving.events[i].thread_id != thread) continue;
      place[i] = out.trace.events.size();
      out.trace.events.push_back(interleaving.events[i]);
    }
  }
  out.order = place;
  return out;
}

TEST(PredictedCauses, AreWhatCheckWouldSayIfItHappened) {
  const Trace happened = with_places(figure(kTransfer));
  const CheckOutcome outcome = checked(happened);
  ASSERT_EQ(outcome.violations.size(), 1u);
  const report::Report said = said_of(happened, outcome, 0);
  const Recorded recording = recorded_serially(happened);
  EXPECT_TRUE(checked(recording.trace).serializable);
  BlockRef transaction = outcome.violations[0].transaction;
  transaction.begin = recording.order[transaction.begin];
  const auto predicted =
      causes_of({warning_of(transaction, recording.order, Grade::kCertain)}, recording.trace);
  ASSERT_EQ(predicted.causes.size(), 1u);
  const report::Cause& cause = predicted.causes[0];
  EXPECT_EQ(cause.id, said.causes[0].id);
  EXPECT_EQ(cause.pattern, said.causes[0].pattern);
  EXPECT_EQ(cause.block_location, said.causes[0].block_location);
  EXPECT_EQ(cause.event_location, said.causes[0].event_location);
  EXPECT_EQ(cause.picture.rows.size(), said.causes[0].picture.rows.size());
  EXPECT_EQ(cause.status, Status::kCertain);
  EXPECT_EQ(said.causes[0].status, Status::kSeen);
}

// Whatever comes before the block, wherever the recorded part ends: the window is enough.
void expect_windows_say_what_the_whole_says(const Trace& trace, std::uint64_t seed,
                                            std::size_t& compared) {
  const CheckOutcome outcome = checked(trace);
  const auto all = from(0, trace.events.size());
  for (std::size_t i = 0; i < outcome.violations.size(); ++i) {
    const BlockRef& transaction = outcome.violations[i].transaction;
    Warning warning = warning_of(transaction, all);
    const EventIndex recorded = (seed + i) % (trace.events.size() + 1);
    warning.interleaving = predict::Interleaving{recorded, from(recorded, trace.events.size())};
    const auto predicted = causes_of({warning}, trace);
    const report::Report said = said_of(trace, outcome, i);
    ASSERT_EQ(predicted.causes.size(), 1u);
    EXPECT_EQ(predicted.ids[0], said.causes[0].id)
        << "OMNIUM_SEED=" << seed << ", transaction at " << transaction.begin << "\n"
        << to_std(trace);
    EXPECT_EQ(predicted.causes[0].pattern, said.causes[0].pattern);
    ++compared;
  }
}

TEST(PredictedCauses, WindowsSayWhatWholeInterleavingsSay) {
  std::size_t compared = 0;
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 1);
  const std::uint64_t count = number_from_environment("OMNIUM_TRACES", 3000);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    expect_windows_say_what_the_whole_says(random_trace(seed, random_shape(seed)), seed, compared);
    expect_windows_say_what_the_whole_says(random_rich_trace(seed), seed, compared);
  }
  EXPECT_GE(compared, count < 3000 ? 0u : 1000u);
}

// What `omnium check` says of the warned transaction in the whole interleaving; empty if nothing.
std::string id_by_check(const Trace& trace, const Warning& warning) {
  const auto order = warning.interleaving->order();
  std::vector<Event> events;
  for (const EventIndex index : order) events.push_back(trace.events[index]);
  const auto begin =
      static_cast<EventIndex>(std::ranges::find(order, warning.transaction.begin) - order.begin());
  MemorySource source(events, trace.names);
  CheckOptions options;
  options.mode = kMode;
  const EngineEntry& engine = *find_engine(kDefaultEngine);
  auto outcome = check_trace(source, engine, options);
  CHECK(outcome.has_value());
  std::erase_if(outcome->violations, [&](const auto& it) { return it.transaction.begin != begin; });
  if (outcome->violations.empty()) return "";
  return report::report_outcome(source, "", engine, *outcome).causes[0].id;
}

// From the search to the report: the id is that of the bug if it happens in this way.
TEST(PredictedCauses, OfTheSearchHaveTheIdsOfCheck) {
  const std::uint64_t first = number_from_environment("OMNIUM_SEED", 1);
  const std::uint64_t count = number_from_environment("OMNIUM_TRACES", 1000);
  predict::PredictOptions options;
  options.budget = 20'000;
  std::size_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Trace trace = random_rich_trace(seed);
    const auto prediction = predict::predict(loaded(trace), options);
    const auto& warnings = prediction.methods[0].warnings;
    const auto predicted = causes_of(warnings, trace);
    for (std::size_t i = 0; i < warnings.size(); ++i) {
      if (warnings[i].cycle) {
        EXPECT_TRUE(predicted.ids[i].starts_with("ns-")) << "OMNIUM_SEED=" << seed;
        continue;
      }
      ++compared;
      EXPECT_EQ(predicted.ids[i], id_by_check(trace, warnings[i]))
          << "OMNIUM_SEED=" << seed << ", transaction at " << warnings[i].transaction.begin << "\n"
          << to_std(trace);
    }
  }
  EXPECT_GE(compared, count < 1000 ? 0u : 100u);
}

// In the recording T2 reads what T1 wrote; in the interleaving it reads what was there before.
TEST(PredictedCauses, NameTheReadThatMakesThemOnlyPossible) {
  const Trace trace = with_places(figure(R"(
    T1: begin(f) r(x) w(x) end
    T2:                        r(x) w(x) )"));
  const std::vector<EventIndex> order = {0, 1, 4, 5, 2};
  Warning warning = warning_of({{0}, {0}, 0}, order);
  const auto possible = causes_of({warning}, trace);
  ASSERT_TRUE(possible.causes[0].changed_read);
  EXPECT_EQ(possible.causes[0].changed_read->index, 4u);
  EXPECT_EQ(possible.causes[0].changed_read->thread, "T2");
  EXPECT_EQ(possible.causes[0].changed_read->location, "bank.cpp:44");
  warning.interleaving = {2, {4, 5, 2}};
  EXPECT_EQ(causes_of({warning}, trace).causes[0].changed_read->index, 4u);
  // Nothing depends on the last event of a thread.
  warning.interleaving = {0, {0, 1, 4}};
  EXPECT_FALSE(causes_of({warning}, trace).causes[0].changed_read);
  warning = warning_of({{0}, {0}, 0}, order, Grade::kCertain);
  EXPECT_FALSE(causes_of({warning}, trace).causes[0].changed_read);
}

// Three blocks of two threads with the same bug, and one with another.
TEST(PredictedCauses, OneOfManyWarnings) {
  const Trace trace = figure(R"(
    T1: begin(f) r(x)      w(x) end begin(f) r(x)      w(x) end begin(g) r(y)      r(y) end
    T2:               w(x)                        w(x)                        w(y)           )");
  const CheckOutcome outcome = checked(trace);
  ASSERT_EQ(outcome.violations.size(), 3u);
  std::vector<Warning> warnings;
  for (const auto& violation : outcome.violations) {
    warnings.push_back(warning_of(violation.transaction, from(0, trace.events.size())));
  }
  warnings[0].copies = 10;
  warnings[1].grade = Grade::kCertain;
  const auto predicted = causes_of(warnings, trace);
  ASSERT_EQ(predicted.causes.size(), 2u);
  EXPECT_EQ(predicted.causes[0].count, 11u);
  EXPECT_EQ(predicted.causes[0].status, Status::kCertain) << "the surest instance is shown";
  EXPECT_EQ(predicted.causes[1].count, 1u);
  EXPECT_EQ(predicted.causes[1].status, Status::kPossible);
  EXPECT_EQ(predicted.ids[0], predicted.ids[1]);
  EXPECT_NE(predicted.ids[0], predicted.ids[2]);
  EXPECT_FALSE(predicted.causes[1].picture.rows.empty());
  EXPECT_TRUE(causes_of(warnings, trace, 1).causes[1].picture.rows.empty());
}

// The interleaving violates g as well, but the warning is about f.
TEST(PredictedCauses, OnlyTheWarnedTransaction) {
  const Trace trace = figure(R"(
    T1: begin(f) r(x)                         w(x)      end
    T2:               begin(g) w(x) w(y)           w(y)     end
    T3:                                  r(y)                    )");
  const CheckOutcome outcome = checked(trace);
  ASSERT_EQ(outcome.violations.size(), 2u);
  for (const auto& violation : outcome.violations) {
    const auto predicted =
        causes_of({warning_of(violation.transaction, from(0, trace.events.size()))}, trace);
    ASSERT_EQ(predicted.causes.size(), 1u);
    EXPECT_EQ(*predicted.causes[0].block.label,
              trace.names.labels.name(violation.transaction.label.v));
  }
}

TEST(PredictedCauses, ACycleWithoutBlame) {
  const Trace trace = with_places(figure(kNoBlame));
  const report::Report said = report_of(trace);
  ASSERT_TRUE(said.cycle_cause);
  Warning warning = warning_of({{0}, {0}, 0}, from(0, trace.events.size()));
  warning.cycle = true;
  warning.partners = {{{1}, {1}, 1}};
  const auto predicted = causes_of({warning}, trace);
  ASSERT_EQ(predicted.causes.size(), 1u);
  EXPECT_EQ(predicted.ids[0], said.cycle_cause->id);
  EXPECT_FALSE(predicted.causes[0].blamed);
  EXPECT_EQ(predicted.causes[0].picture.rows.size(), said.cycle_cause->picture.rows.size());
}

// A thousand events before the block do not make the finding larger, nor do their names.
TEST(PredictedCauses, WindowsAreSmall) {
  const Trace bank = figure(kTransfer);
  Trace trace;
  for (const char* name : {"w2", "w5"}) trace.names.threads.intern(name);
  for (const char* name : {"transfer", "deposit", ""}) trace.names.labels.intern(name);
  trace.names.locks.intern("m");
  for (int i = 0; i < 1000; ++i) {
    trace.events.push_back({Kind::kWrite, static_cast<std::uint16_t>(i % 2),
                            trace.names.variables.intern(fmt::format("private{}", i))});
  }
  for (Event event : bank.events) {
    if (is_access(event.kind)) event.object = trace.names.variables.intern("bal");
    trace.events.push_back(event);
  }
  std::size_t events = 0, variables = 0;
  for (const EventIndex recorded : {0, 500, 1003}) {
    std::vector<Warning> warnings{warning_of({{0}, {0}, 1000}, {})};
    warnings[0].interleaving = {recorded, from(recorded, trace.events.size())};
    report::for_each_window(warnings, loaded(trace), trace.names,
                            [&](std::size_t, report::InterleavingWindow window) {
                              events = window.trace.events.size();
                              variables = window.trace.names.variables.size();
                              const Event& begin = window.trace.events[window.transaction];
                              EXPECT_EQ(window.trace.names.labels.name(begin.object), "transfer");
                            });
    EXPECT_EQ(events, bank.events.size());
    EXPECT_EQ(variables, 1u);
  }
}

// The sections that T2 had behind it are not in the picture, though they came between.
TEST(PredictedCauses, WindowsLeaveOutEarlyWork) {
  const Trace trace = figure(R"(
    T1: begin(f) r(x)                                                             w(x) end
    T2:               acq(m) w(p) rel(m) acq(m) w(q) rel(m) acq(m) w(p) rel(m) w(x)        )");
  std::size_t events = 0;
  const std::vector<Warning> warnings{warning_of({{0}, {0}, 0}, from(0, trace.events.size()))};
  report::for_each_window(
      warnings, loaded(trace), trace.names,
      [&](std::size_t, report::InterleavingWindow window) { events = window.trace.events.size(); });
  EXPECT_EQ(events, 5u);
  EXPECT_EQ(causes_of(warnings, trace).causes[0].picture.rows.size(), 3u);
}

// What is open where the block begins stays: the lock that T2 holds, and its block.
TEST(PredictedCauses, WindowsStartWithWhatIsOpen) {
  const Trace trace = figure(R"(
    T1:                                         begin(f) r(x)      w(x) end
    T2: begin(g) acq(m) acq(l) r(z) rel(l) r(z)               w(x)         rel(m) end )");
  const CheckOutcome outcome = checked(trace);
  ASSERT_EQ(outcome.violations.size(), 1u);
  const auto transaction = outcome.violations[0].transaction;
  std::string window;
  report::for_each_window(
      std::vector{warning_of(transaction, from(0, trace.events.size()))}, loaded(trace),
      trace.names, [&](std::size_t, report::InterleavingWindow it) { window = to_std(it.trace); });
  EXPECT_TRUE(window.starts_with("T2|begin(g)|\nT2|acq(m)|\nT1|begin(f)|\n")) << window;
  EXPECT_EQ(window.find("acq(l)"), std::string::npos) << window;
  const auto predicted = causes_of({warning_of(transaction, from(0, trace.events.size()))}, trace);
  EXPECT_EQ(*predicted.causes[0].partners[0].label, "g");
}

TEST(PredictedCauses, WarningsWithoutAnInterleavingHaveNone) {
  const Trace trace = figure(kTransfer);
  Warning warning;
  warning.transaction = {{0}, {0}, 0};
  EXPECT_TRUE(causes_of({warning}, trace).causes.empty());
}

}  // namespace
}  // namespace omnium::test
