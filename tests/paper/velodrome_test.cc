// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The figures of Flanagan, Freund, Yi: Velodrome, PLDI 2008, and what the paper says of them.
#include <map>

#include <gtest/gtest.h>

#include "tests/support/figure.h"
#include "tests/support/prose.h"
#include "tests/support/random_trace.h"
#include "tests/support/run.h"

namespace omnium::test {
namespace {

EngineRun velodrome(const Trace& trace) {
  return run_engine(*find_engine("velodrome"), trace.events, trace.names.extent(), true);
}

// Section 1: A => B' => C' => A. "We should assign blame to transaction A."
TEST(Velodrome, IntroductionBlamesAAndNotItsInnerBlock) {
  const Trace trace = figure(R"(
  T1: begin(A) acq(m) rel(m)                                            begin(in) r(x) end end
  T2:                  begin(B) acq(m) w(y) rel(m) end
  T3:                                               begin(C) r(y) w(x) end)");
  const EngineRun run = velodrome(trace);
  EXPECT_EQ(show_witnesses(run.findings, trace), "T1.A -> T2.B -> T3.C -> T1.A");
  EXPECT_EQ(show_refuted(run.findings, trace), "A");
  EXPECT_EQ(show_cycle(*run.findings.cycle(), trace), "T1.A -> T2.B -> T3.C");
}

// Sections 1 and 5: "Warning: Set.add is not atomic".
TEST(Velodrome, SetAddIsNotAtomic) {
  const Trace trace = figure(R"(
  T1: begin(add) begin(has) acq(v) r(e) rel(v) end                   begin(put) acq(v) w(e) end end
  T2:                                           begin(add) acq(v) w(e) rel(v) end)");
  const EngineRun run = velodrome(trace);
  EXPECT_FALSE(run.findings.serializable());
  ASSERT_FALSE(run.findings.violations().empty());
  EXPECT_EQ(show_witness(run.findings.violations()[0], trace), "T1.add -> T2.add -> T1.add");
  EXPECT_EQ(show_refuted(run.findings, trace), "add");
}

EngineRun without_merging(const Trace& trace) {
  return run_engine(*find_engine("velodrome --no-merge"), trace.events, trace.names.extent(), true);
}

// Section 4.2: if L(t) and W(x) are bottom, the node of a read outside would be collected at once
// "and so we avoid allocating it in the first place".
TEST(Velodrome, WithoutMergingEachEventOutsideHasANode) {
  const Trace trace = figure(R"(
      T1: r(x) r(x) w(y) r(x)
      T2:                     r(y) r(y))");
  EXPECT_EQ(counter(velodrome(trace), "nodes"), 0u);
  const EngineRun naive = without_merging(trace);
  EXPECT_EQ(counter(naive, "nodes"), 6u);
  EXPECT_EQ(counter(naive, "most nodes alive"), 1u);
  EXPECT_EQ(counter(naive, "GC: nodes collected"), 6u);
}

// Section 4.2: "the nodes L(t) and n can be merged": T2's reads after its read of x share its node.
TEST(Velodrome, MergingKeepsFewerNodesAlive) {
  const Trace trace = figure(R"(
      T1: begin(A) w(x)                               end
      T2:               r(x) r(y) r(z) r(x) r(y) r(z)     )");
  EXPECT_EQ(counter(velodrome(trace), "nodes"), 2u);
  EXPECT_EQ(counter(velodrome(trace), "most nodes alive"), 2u);
  EXPECT_EQ(counter(without_merging(trace), "nodes"), 7u);
  EXPECT_EQ(counter(without_merging(trace), "most nodes alive"), 7u);
}

// Davida's table VI counts for Velodrome: tau12 and tau15 are between the same transactions, so
// that one of the seven dependencies of alpha1 is skipped; two close a cycle.
TEST(Velodrome, CountsOfTableVI) {
  const EngineRun run = velodrome(figure(R"(
  t1:                                        begin(tx1) r(d)         r(f) end
  t2:  begin(tx2) r(a) r(b) end begin(tx6) w(c)           w(d)             end
  t3:   begin(tx3) end           begin(tx5) r(c)         w(b) r(d) w(f)     end
  t4: begin(tx4) w(a)                                               r(b)     end)"));
  EXPECT_EQ(counter(run, "dependencies skipped"), 1u);
  EXPECT_EQ(counter(run, "dependencies kept"), 4u);
  // tx4, tx2, tx5 (Davida's cycle c2) and tx1, tx6, tx5.
  EXPECT_EQ(counter(run, "nodes visited"), 6u);
}

// Section 2: "the write by Thread 2 conflicts with both the read and write by Thread 1".
TEST(Velodrome, ReadModifyWriteIsBlamed) {
  const Trace trace = figure(R"(
      T1: begin(inc)  r(x)        w(x)  end
      T2:                   w(x)            )");
  const EngineRun run = velodrome(trace);
  EXPECT_EQ(show_witnesses(run.findings, trace), "T1.inc -> T2.w(x) -> T1.inc");
  EXPECT_EQ(run.findings.violations()[0].end, 4u);
}

// Section 2: "this program yields only serializable traces".
TEST(Velodrome, FlagHandOverIsSerializable) {
  const Trace trace = figure(R"(
  T1: r(b) begin(i) r(x) w(x) w(b)            end r(b) r(b) r(b) begin(i) r(x)  w(x) w(b) end
  T2:  r(b) r(b)          r(b) r(b) begin(j) r(x)  w(x) w(b)               end r(b)        r(b))");
  const EngineRun run = velodrome(trace);
  EXPECT_TRUE(run.findings.serializable());
  EXPECT_TRUE(run.findings.violations().empty());
}

// Section 4.3: "both transactions are self-serializable, even though together they constitute a
// non-serializable trace".
TEST(Velodrome, NobodyCanBeBlamedForDAndE) {
  const Trace first = figure(R"(
      T1:                begin(D) w(x) r(y) end
      T2: begin(E) w(y)                         r(x) end)");
  const EngineRun run = velodrome(first);
  EXPECT_FALSE(run.findings.serializable());
  EXPECT_TRUE(run.findings.violations().empty());
  EXPECT_EQ(show_cycle(*run.findings.cycle(), first), "T2.E -> T1.D");
  EXPECT_EQ(counter(run, "cycles without blame"), 1u);
  const Trace second = figure(R"(
      T1: begin(D) w(x)                         r(y) end
      T2:                begin(E) w(y) r(x) end         )");
  const EngineRun other = velodrome(second);
  EXPECT_EQ(show_cycle(*other.findings.cycle(), second), "T1.D -> T2.E");
  EXPECT_TRUE(other.findings.violations().empty());
}

// Section 4.3: "the algorithm will refute the atomic blocks p and q; the block labeled r is not
// refuted".
TEST(Velodrome, NestedBlocksPAndQAreRefuted) {
  const Trace trace = figure(R"(
      T1: begin(p) begin(q) r(x)                   begin(r) w(x) end end end
      T2:                        begin(B) w(x) end                          )");
  const EngineRun run = velodrome(trace);
  EXPECT_EQ(show_refuted(run.findings, trace), "p q");
  EXPECT_EQ(counter(run, "RE-ENTER"), 2u);
}

// A finished node stays on the path from T0 to T0 through the program order of T1.
TEST(Velodrome, ProgramOrderOfAnotherThreadClosesACycle) {
  const Trace trace = figure(R"(
      T0: begin(A) w(x)                                         r(y) end
      T1:               begin(B) r(x) end begin(C) w(y) end             )");
  const EngineRun run = velodrome(trace);
  EXPECT_EQ(show_witnesses(run.findings, trace), "T0.A -> T1.B -> T1.C -> T0.A");
  EXPECT_EQ(show_cycle(*run.findings.cycle(), trace), "T0.A -> T1.B -> T1.C");
}

// Section 4.2: unary events are merged with what their thread did before, and each keeps its name.
TEST(Velodrome, UnaryEventsAreMerged) {
  const Trace trace = figure(R"(
      T0: begin(A) w(x)                          r(y) end
      T1:               r(x) r(a) r(b) w(c) w(y)         )");
  const EngineRun run = velodrome(trace);
  EXPECT_EQ(show_witnesses(run.findings, trace), "T0.A -> T1.r(x) -> T1.w(y) -> T0.A");
  EXPECT_EQ(show_cycle(*run.findings.cycle(), trace), "T0.A -> T1.r(x) -> T1.w(y)");
  EXPECT_EQ(counter(run, "nodes"), 2u);
  EXPECT_EQ(counter(run, "merge: fresh node"), 1u);
  EXPECT_EQ(counter(run, "merge: reused node"), 4u);
}

// Section 4.2: "we avoid allocating it in the first place".
TEST(Velodrome, UnaryEventsThatDependOnNothingHaveNoNode) {
  const Trace trace = figure(R"(
      T0: w(x)      r(y) acq(m) rel(m)                r(x)
      T1:      w(y)                    acq(m) rel(m)       )");
  const EngineRun run = velodrome(trace);
  EXPECT_EQ(counter(run, "nodes"), 0u);
  EXPECT_EQ(counter(run, "merge: bottom"), 8u);
}

// If r(x) joined the node of A, which may still get edges, the cycle would be lost.
TEST(Velodrome, UnaryEventsAreNotMergedIntoOpenTransactions) {
  const Trace trace = figure(R"(
      T0: begin(A) w(x)           r(y) end
      T1:               r(x) w(y)         )");
  EXPECT_FALSE(velodrome(trace).findings.serializable());
}

// Section 5: "that step is interpreted as being bottom ... even though the corresponding Node
// object has been recycled": c reads what a wrote, not what b, in the same slot, might have.
TEST(Velodrome, StepsOfRecycledSlotsAreBottom) {
  const Trace trace = figure(R"(
      T1: begin(a) w(x) end
      T2:                   begin(b)                    r(z) end
      T3:                            begin(c) r(x) w(z)          end)");
  const EngineRun run = velodrome(trace);
  EXPECT_TRUE(run.findings.serializable());
  EXPECT_EQ(counter(run, "nodes"), 3u);
  EXPECT_EQ(counter(run, "most nodes alive"), 2u);
  EXPECT_EQ(counter(run, "edges"), 1u);
}

// c has the slot that a had. The edge c -> o is not the latest one of a -> o: it replaces nothing,
// and o follows c.
TEST(Velodrome, EdgesOfRecycledSlotsReplaceNothing) {
  const Trace trace = figure(R"(
      T1: begin(a) w(x)               end
      T2:               begin(o) r(x)                                         r(z) w(p)
      T3:                                 begin(c) w(y) w(z)                            r(p) end
      T4:                                                    begin(d) r(y) end                  )");
  const EngineRun run = velodrome(trace);
  EXPECT_EQ(counter(run, "most nodes alive"), 3u);
  EXPECT_EQ(counter(run, "edges replaced"), 0u);
  EXPECT_EQ(show_witnesses(run.findings, trace), "T3.c -> T2.o -> T3.c");
}

// "(n, i) -> (m, j) and (n, i') -> (m, j')": the latest replaces.
TEST(Velodrome, OneEdgePerPair) {
  const Trace trace = figure(R"(
      T1: begin(a) w(x)               w(y)      end
      T2:               begin(b) r(x)      r(y)     end)");
  const EngineRun run = velodrome(trace);
  EXPECT_EQ(counter(run, "edges"), 1u);
  EXPECT_EQ(counter(run, "edges replaced"), 1u);
}

// Section 4.1: "at most a few dozen live nodes at any time".
TEST(Velodrome, GarbageIsCollectedAtOnce) {
  std::vector<Event> events;
  for (std::uint32_t round = 0; round < 20'000; ++round) {
    const auto t = static_cast<std::uint16_t>(round % 3);
    for (const Kind kind :
         {Kind::kBegin, Kind::kAcquire, Kind::kWrite, Kind::kRelease, Kind::kEnd}) {
      events.push_back({kind, t, 0});
    }
    events.push_back({Kind::kRead, t, 1});
  }
  const Extent extent{3, 2, 1, 1};
  const EngineRun run = run_engine(*find_engine("velodrome"), events, extent, true);
  EXPECT_TRUE(run.findings.serializable());
  EXPECT_EQ(counter(run, "nodes"), 20'000u);
  EXPECT_EQ(counter(run, "GC: nodes collected"), 20'000u);
  EXPECT_EQ(counter(run, "most nodes alive"), 1u);
}

// What a long transaction reaches stays until it ends, then all of it goes; 100 threads are inside
// transactions at once, more than one word of ancestors holds.
TEST(Velodrome, LongTransactionsKeepWhatTheyReach) {
  std::vector<Event> events;
  const auto add = [&](Kind kind, std::uint32_t t, std::uint32_t object) {
    events.push_back({kind, static_cast<std::uint16_t>(t), object});
  };
  for (std::uint32_t t = 0; t < 100; ++t) add(Kind::kBegin, t, 0);
  add(Kind::kWrite, 0, 0);
  for (std::uint32_t t = 1; t < 100; ++t) add(Kind::kRead, t, 0);
  for (std::uint32_t t = 1; t < 100; ++t) add(Kind::kEnd, t, 0);
  for (std::uint32_t t = 100; t < 200; ++t) {
    add(Kind::kBegin, t, 0);
    add(Kind::kRead, t, 0);
    add(Kind::kEnd, t, 0);
  }
  const Extent extent{200, 2, 1, 1};
  EngineRun run = run_engine(*find_engine("velodrome"), events, extent, true);
  EXPECT_EQ(counter(run, "most nodes alive"), 200u);
  EXPECT_EQ(counter(run, "GC: nodes collected"), 0u);
  add(Kind::kEnd, 0, 0);
  run = run_engine(*find_engine("velodrome"), events, extent, true);
  EXPECT_EQ(counter(run, "GC: nodes collected"), 200u);
  EXPECT_TRUE(run.findings.serializable());
}

// A chain of 1,500 blocks leads from A back to A: the first search goes all the way, the second
// one, for a transaction that is blamed already, does not.
TEST(Velodrome, SearchesGiveUpOnceBlamed) {
  std::vector<Event> events{{Kind::kBegin, 0, 0}, {Kind::kWrite, 0, 0}};
  for (std::uint32_t round = 0; round < 1'500; ++round) {
    events.push_back({Kind::kBegin, 1, 0});
    events.push_back({Kind::kRead, 1, 0});
    events.push_back({Kind::kWrite, 1, 1});
    events.push_back({Kind::kEnd, 1, 0});
  }
  events.push_back({Kind::kRead, 0, 1});
  events.push_back({Kind::kWrite, 0, 1});
  events.push_back({Kind::kWrite, 1, 2});
  events.push_back({Kind::kRead, 0, 2});
  const EngineRun run = run_engine(*find_engine("velodrome"), events, Extent{2, 3, 1, 1}, true);
  EXPECT_EQ(counter(run, "increasing cycles"), 1u);
  EXPECT_EQ(counter(run, "cycles without blame"), 1u);
  EXPECT_EQ(counter(run, "searches given up"), 1u);
}

TEST(Velodrome, TheCorpusHitsEveryRule) {
  std::map<std::string_view, std::uint64_t> hits;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    for (const Counter& counter : velodrome(trace).counters) hits[counter.name] += counter.value;
  }
  hits.erase("searches given up");  // only long traces do: SearchesGiveUpOnceBlamed
  for (const auto& [name, value] : hits) EXPECT_GT(value, 0u) << name;
}

}  // namespace
}  // namespace omnium::test
