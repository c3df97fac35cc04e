// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The figures of Ma, Ashraf, Chan: Davida, and what the paper says of them.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "tests/support/figure.h"
#include "tests/support/prose.h"
#include "tests/support/random_trace.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"

namespace omnium::test {
namespace {

EngineRun davida(const Trace& trace) {
  return run_engine(*find_engine("davida"), trace.events, trace.names.extent(), true);
}

// Figure 2, the trace alpha1; events e1 to e12 are its reads and writes.
Trace alpha1() {
  return figure(R"(
  t1:                                        begin(tx1) r(d)         r(f) end
  t2:  begin(tx2) r(a) r(b) end begin(tx6) w(c)           w(d)             end
  t3:   begin(tx3) end           begin(tx5) r(c)         w(b) r(d) w(f)     end
  t4: begin(tx4) w(a)                                               r(b)     end)");
}

// For each dependency, the open transactions other than its sink's, counted by hand from the
// reference's list of dependencies.
std::uint64_t per_tree_by_definition(const Trace& trace) {
  std::uint64_t sum = 0;
  const Reference reference(trace.events);
  std::map<std::uint16_t, int> depth;
  for (EventIndex sink = 0; sink < trace.events.size(); ++sink) {
    const Event& event = trace.events[sink];
    if (event.kind == Kind::kBegin) ++depth[event.thread_id];
    std::uint64_t others = 0;
    for (const auto& [thread, open] : depth) others += open > 0 && thread != event.thread_id;
    for (EventIndex source = 0; source < sink; ++source) {
      if (trace.events[source].thread_id == event.thread_id) continue;
      if (reference.direct_dependency(source, sink)) sum += others;
    }
    if (event.kind == Kind::kEnd) --depth[event.thread_id];
  }
  return sum;
}

// By thread other than the violating one: the first of its transactions on the witness.
std::map<std::uint32_t, EventIndex> first_on_threads(const Violation& violation) {
  std::map<std::uint32_t, EventIndex> first;
  for (const WitnessStep& step : violation.witness) {
    if (step.to.thread == violation.transaction.thread) continue;
    first.try_emplace(step.to.thread.v, step.to.begin);
  }
  return first;
}

// Section III.B: the witnesses are "(tx4, tx2, tx6, tx5, tx4)", which is cycle c1, and "(tx1, tx6,
// tx5, tx1)", which is cycle c5.
TEST(Davida, Alpha1HasViolationsOnTx4AndTx1) {
  const Trace trace = alpha1();
  const EngineRun run = davida(trace);
  EXPECT_EQ(show_witnesses(run.findings, trace),
            "t4.tx4 -> t2.tx2 -> t2.tx6 -> t3.tx5 -> t4.tx4\n"
            "t1.tx1 -> t2.tx6 -> t3.tx5 -> t1.tx1");
  EXPECT_EQ(show_refuted(run.findings, trace), "tx4 tx1");
}

// Section III.B: of tau11 to tau17 only tau13 (e3 -> e7) is skipped. It leaves tx2, whose own tree
// is gone, and the tree of tx4, which reaches tx2, has reached t3 before, by tau12.
TEST(Davida, Alpha1KeepsWhatTableVICounts) {
  const EngineRun run = davida(alpha1());
  EXPECT_EQ(counter(run, "dependencies kept") + counter(run, "dependencies skipped"), 7u);
  EXPECT_EQ(counter(run, "dependencies skipped"), 1u);
  EXPECT_EQ(counter(run, "instances"), 2u);
  // Section III.C: rho_1 visits tx5, tx6, tx2 and the root tx4, rho_2 visits tx5, tx6 and tx1.
  EXPECT_EQ(counter(run, "visited transactions"), 7u);
  EXPECT_GT(counter(run, "captured after program order"), 0u);
}

// Section II.C has Velodrome keep the first of the edges tau12 and tau15 and miss tx1. By
// Velodrome's own paper the latest one replaces, and tx1 is found.
TEST(Davida, VelodromeAlsoSeesAlpha1) {
  const Trace trace = alpha1();
  const EngineRun run =
      run_engine(*find_engine("velodrome"), trace.events, trace.names.extent(), true);
  EXPECT_EQ(show_refuted(run.findings, trace), "tx4 tx1");
  EXPECT_EQ(counter(run, "edges replaced"), 1u);
}

// The witness leaves at r(x): the blocks around that event are refuted, and no others.
TEST(Davida, BlocksAroundTheRootAreRefuted) {
  const Trace nested = figure(R"(
      T1: begin(p) begin(q) r(x)      w(x) end end
      T2:                        w(x)              )");
  EXPECT_EQ(show_refuted(davida(nested).findings, nested), "p q");
  const Trace later = figure(R"(
      T1: begin(p) begin(q) r(x)      begin(r) w(x) end end end
      T2:                        w(x)                           )");
  EXPECT_EQ(show_refuted(davida(later).findings, later), "p q");
}

// Table IV: Velodrome never reports more, and misses some.
TEST(Davida, SeesAtLeastWhatVelodromeSees) {
  std::size_t davida_total = 0, velodrome_total = 0;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    const std::size_t mine = davida(trace).findings.violations().size();
    const std::size_t theirs =
        run_engine(*find_engine("velodrome"), trace.events, trace.names.extent(), true)
            .findings.violations()
            .size();
    EXPECT_GE(mine, theirs) << "seed " << seed;
    davida_total += mine;
    velodrome_total += theirs;
  }
  EXPECT_GT(davida_total, velodrome_total);
}

// Table VI, "sor": a witness of two transactions visits two.
TEST(Davida, AWitnessOfTwoTransactionsVisitsTwo) {
  const EngineRun run = davida(figure(R"(
      T1: begin(inc)  r(x)        w(x)  end
      T2:                   w(x)            )"));
  EXPECT_EQ(counter(run, "visited transactions"), 2u);
}

// Table VI, last column: each dependency counts once per tree, but for that of its sink.
TEST(Davida, Alpha1SkipsPerTree) {
  const EngineRun run = davida(alpha1());
  EXPECT_EQ(counter(run, "captured, once per tree") + counter(run, "skipped, once per tree"),
            per_tree_by_definition(alpha1()));
  EXPECT_LE(counter(run, "most skipped by the trees of one moment"),
            counter(run, "skipped, once per tree"));
  EXPECT_GT(counter(run, "most skipped by the trees of one moment"), 0u);
}

// Section II.C: a dependency can be increasing for one transaction and not for another. w(z) ->
// r(z) goes on from where A arrived in T2, but B arrived there only after w(z).
TEST(Davida, IncreasingForOneAndNotForAnother) {
  const EngineRun run = davida(figure(R"(
      T1: begin(A) w(x)                                         end
      T2:               begin(C) r(x) w(z)      r(y)                end
      T3:  begin(B)                        w(y)                      end
      T4:                                            r(z)               )"));
  EXPECT_EQ(counter(run, "increasing for one, not for another"), 1u);
}

// Theorem 4, first half: on each thread Davida's witness arrives no later than Velodrome's for the
// same dependency. (The second half is about the order of the paper's depth-first search.)
TEST(Davida, Theorem4OnRandomTraces) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    const EngineRun mine = davida(trace);
    const EngineRun theirs =
        run_engine(*find_engine("velodrome"), trace.events, trace.names.extent(), true);
    for (const Violation& theirs_one : theirs.findings.violations()) {
      const auto& all = mine.findings.violations();
      const auto at = std::ranges::find(all, theirs_one.closing, &Violation::closing);
      ASSERT_NE(at, all.end()) << "seed " << seed;
      const auto of_mine = first_on_threads(*at);
      for (const auto& [thread, first] : first_on_threads(theirs_one)) {
        if (!of_mine.contains(thread)) continue;
        ++compared;
        ASSERT_LE(of_mine.at(thread), first) << "seed " << seed << "\n" << to_std(trace);
      }
    }
  }
  EXPECT_GT(compared, 1'000u);
}

// Table I does not hold for the trace level: a cycle that no transaction has alone is not seen.
TEST(Davida, SaysNothingOfNonIncreasingCycles) {
  const Trace trace = figure(R"(
      T1: begin(D) w(x)                         r(y) end
      T2:                begin(E) w(y) r(x) end         )");
  const EngineRun run = davida(trace);
  EXPECT_TRUE(run.findings.serializable());
  EXPECT_TRUE(run.findings.violations().empty());
}

// Figure 8: e_p and e_a in one transaction; only if e_p comes first is there a violation.
TEST(Davida, ASourceBeforeTheArrivalIsNotIncreasing) {
  const Trace trace = figure(R"(
      T1: begin(A)      w(x)           r(y)       r(z) end
      T2:          begin(B) w(y) r(x)       w(z)              end)");
  const EngineRun run = davida(trace);
  EXPECT_EQ(counter(run, "not increasing"), 1u);
  EXPECT_EQ(show_witnesses(run.findings, trace), "T1.A -> T2.B -> T1.A");
  EXPECT_EQ(run.findings.violations()[0].closing.source, 6u);
}

// A tree is dropped with its transaction: what it reached is forgotten.
TEST(Davida, TreesEndWithTheirTransactions) {
  const Trace trace = figure(R"(
      T1: begin(A) w(x) end                          begin(B) r(y) end
      T2:                   begin(C) r(x) w(y) end                    )");
  const EngineRun run = davida(trace);
  EXPECT_EQ(counter(run, "dependencies kept"), 0u);
  EXPECT_EQ(counter(run, "most trees"), 1u);
}

// Each of 200 transactions reaches all those after it: trees grow with what they reach, and are
// felled in the middle of each other's lists.
TEST(Davida, ManyThreads) {
  std::vector<Event> events;
  const auto add = [&](Kind kind, std::uint32_t t, std::uint32_t object) {
    events.push_back({kind, static_cast<std::uint16_t>(t), object});
  };
  constexpr std::uint32_t kThreads = 200;
  for (std::uint32_t t = 0; t < kThreads; ++t) add(Kind::kBegin, t, 0);
  for (std::uint32_t t = 0; t < kThreads; ++t) add(Kind::kWrite, t, 0);
  for (std::uint32_t t = 0; t < kThreads; t += 3) add(Kind::kEnd, t, 0);
  add(Kind::kRead, 1, 0);
  add(Kind::kWrite, 2, 0);
  const EngineRun run = run_engine(*find_engine("davida"), events, Extent{kThreads, 1, 1, 1}, true);
  EXPECT_EQ(counter(run, "maximum forest size"), kThreads * (kThreads - 1) / 2);
  // The read by thread 1 of what the last thread wrote; the write by 2 after the read by 1.
  ASSERT_EQ(run.findings.violations().size(), 2u);
  EXPECT_EQ(run.findings.violations()[0].witness.size(), kThreads - 1);
  EXPECT_EQ(run.findings.violations()[1].witness.size(), kThreads - 1);
}

TEST(Davida, TheCorpusHitsEveryRule) {
  std::map<std::string_view, std::uint64_t> hits;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    for (const Counter& counter : davida(trace).counters) hits[counter.name] += counter.value;
  }
  for (const auto& [name, value] : hits) EXPECT_GT(value, 0u) << name;
}

}  // namespace
}  // namespace omnium::test
