// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The figures of the AeroDrome paper, and the traces on which its optimizations are easily wrong.
#include <gtest/gtest.h>

#include "tests/support/random_trace.h"
#include "tests/support/verdict.h"

namespace omnium::test {
namespace {

constexpr std::string_view kAerodromes[] = {"aerodrome-basic", "aerodrome"};

constexpr std::string_view kRho1 = R"(
    t1: begin(T1) w(x)                                                  r(y) end
    t2:                begin(T2) r(x) end
    t3:                                   begin(T3) w(y) end                     )";
constexpr std::string_view kRho1Prime = R"(
    t1: begin(T1) w(x)                                                            r(z) end
    t2:                begin(T2) w(y) r(x) end
    t3:                                        begin(T3) r(y) w(z) end                    )";
constexpr std::string_view kRho2 = R"(
    t1: begin(T1)           w(x)           r(y) end
    t2:           begin(T2)      r(x) w(y)          end )";
constexpr std::string_view kRho3 = R"(
    t1: begin(T1)           w(x)      r(y)      end
    t2:           begin(T2)      w(y)      r(x)     end )";

// Event index, 0-based, at which an engine reports the cycle; kNoEvent if it does not.
EventIndex reported_at(std::string_view engine, const Trace& trace) {
  const EngineRun run = run_named(engine, trace);
  return run.findings.cycle() ? run.findings.cycle()->closed_at : kNoEvent;
}

TEST(Aerodrome, Rho1IsSerializable) { expect_serializable(kRho1); }

// [Example 6] T1 -> T2 -> T3 -> T1, reported at e11.
TEST(Aerodrome, Rho1PrimeIsReportedAtTheReadOfZ) {
  expect_not_serializable(kRho1Prime);
  for (const auto engine : kAerodromes) EXPECT_EQ(reported_at(engine, figure(kRho1Prime)), 10u);
}

// [Figure 5] Reported at e6: C_t1^begin is before W_y.
TEST(Aerodrome, Rho2IsReportedAtTheReadOfY) {
  expect_not_serializable(kRho2);
  for (const auto engine : kAerodromes) EXPECT_EQ(reported_at(engine, figure(kRho2)), 5u);
}

// [Figure 6] Reported at e7, the first end.
TEST(Aerodrome, Rho3IsReportedAtTheFirstEnd) {
  expect_not_serializable(kRho3);
  for (const auto engine : kAerodromes) EXPECT_EQ(reported_at(engine, figure(kRho3)), 6u);
}

// [Example 5] A prefix is judged as if its open blocks ended: e1 ... e6 have the cycle already.
TEST(Aerodrome, PrefixesOfRho3) {
  for (std::size_t events = 0; events <= 8; ++events) {
    expect_verdict(prefix(figure(kRho3), events), events < 6);
  }
}

TEST(Aerodrome, PrefixesOfRho1Prime) {
  for (std::size_t events = 0; events <= 12; ++events) {
    expect_verdict(prefix(figure(kRho1Prime), events), events < 11);
  }
}

// Outside blocks a thread's later events do not belong to its write: w(x) -> b -> r(y).
TEST(Aerodrome, EventsOutsideBlocksDoNotShareTheirThreadsClock) {
  expect_serializable(R"(
    T1:                 w(x) r(y)
    T2: begin(b) w(y)             r(x) end )");
  expect_serializable(R"(
    T1:                 r(x) r(y)
    T2: begin(b) w(y)             w(x) end )");
}

// The second block of T1 has no edge into it but by program order, and still T0 -> it -> T0.
TEST(Aerodrome, ABlockWithoutIncomingEdgesFollowsItsThread) {
  expect_not_serializable(R"(
    T0: begin(a) w(x)                                            r(y) end
    T1:               begin(b) r(x) end begin(c) w(y) end                 )");
}

TEST(Aerodrome, TheChildOfABlockDependsOnIt) {
  expect_not_serializable(R"(
    T1: begin(a) fork(T2)      r(x) end
    T2:                   w(x)          )");
  expect_not_serializable(R"(
    T1: begin(a) fork(T2)                   join(T2) end
    T2:                   begin(b) end                   )");
  expect_not_serializable(R"(
    T1: begin(a) fork(T2)                                    r(z) end
    T2:                   begin(b) w(y) end
    T3:                                     r(y) w(z)                 )");
}

// T3's block -> T1's block by x, which the forking block learns after the fork -> T2 -> T3's block.
TEST(Aerodrome, AChildThatDidNothingYetLearnsWhatItsForkingBlockLearns) {
  expect_not_serializable(R"(
    T1:               begin(a) fork(T2) r(x) end
    T2:                                          w(z)
    T3: begin(b) w(x)                                 r(z) end )");
}

constexpr std::string_view kIdleChild = "T1: begin(a) fork(T2) join(T2) end";

TEST(Aerodrome, AChildThatDidNothingIsNoWayBack) {
  expect_serializable(kIdleChild);
  expect_not_serializable(R"(
    T1: begin(a) fork(T2)               r(x) end
    T3:                   join(T2) w(x)          )");
}

// T2's only act is a fork, and that is one: a -> T2's fork -> a.
TEST(Aerodrome, AChildThatOnlyForkedIsAWayBack) {
  expect_not_serializable(R"(
    T1: begin(a) fork(T2)          join(T2) end
    T2:                   fork(T3)               )");
}

TEST(Aerodrome, OwnReadsAndWritesAreNoWayBack) {
  expect_serializable(R"(
    T1: begin(a) r(x) w(x) r(x) w(x) end
    T2:                                  w(x) )");
  expect_serializable(R"(
    T1: begin(a) r(x)                w(x) end
    T2:               r(x) r(y)               )");
}

// A lock learns of the open block a; b passes on what it learned after the release.
TEST(Aerodrome, LocksPassOnWhatABlockLearnsAfterItsRelease) {
  expect_not_serializable(R"(
    T1: begin(a) w(x)                                                         r(y) end
    T2:               begin(b) acq(m) rel(m) r(x) end
    T3:                                               acq(m) w(y) rel(m)               )");
}

// b reads x before it learns of a; when it ends, R_x and chR_x learn of a, too.
TEST(Aerodrome, ReadsPassOnWhatTheirBlockLearnsLater) {
  expect_not_serializable(R"(
    T1: begin(a) w(y)                              w(x) end
    T2:               begin(b) r(x) r(y) end                )");
}

// Section 4.3 compares C_t^begin with chR_x, in which the component of T2 is 0: taken literally,
// for all components, that misses this cycle, since a begins after it knows T2.
TEST(Aerodrome, ReadsAreCheckedForTheOwnComponentOnly) {
  expect_not_serializable(R"(
    T1:      r(z) begin(a) w(y)           w(x) end
    T2: w(z)                    r(y) r(x)          )");
}

// [Section 4.1.4] Inner blocks do not count.
TEST(Aerodrome, NestedBlocksAreIgnored) {
  expect_not_serializable(R"(
    T1: begin(a) begin(b) r(x) end      begin(c) w(x) end end
    T2:                            w(x)                       )");
}

TEST(Aerodrome, BothReportTheSameEvent) {
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    const Trace trace = random_trace(seed, random_shape(seed));
    ASSERT_EQ(reported_at("aerodrome", trace), reported_at("aerodrome-basic", trace))
        << "seed " << seed << "\n"
        << to_std(trace);
  }
}

// Every rule of the paper, and each of ours but the widening of clocks, is applied by small traces.
TEST(Aerodrome, EveryRuleIsHit) {
  for (const auto engine : kAerodromes) {
    CounterSums counters;
    for (const auto drawing : {kRho1, kRho1Prime, kRho2, kRho3, kIdleChild}) {
      counters.add(run_named(engine, figure(drawing)));
    }
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      counters.add(run_named(engine, random_trace(seed, random_shape(seed))));
    }
    for (const auto& [name, value] : counters.sums()) {
      if (name == "clocks widened") continue;
      EXPECT_GT(value, 0u) << engine << ": " << name;
    }
  }
}

}  // namespace
}  // namespace omnium::test
