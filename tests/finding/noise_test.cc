// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What docs/formats/patterns.md calls probably harmless, and what looks almost like it, drawn.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "engines/checker.h"
#include "finding/explanation.h"
#include "finding/name_words.h"
#include "tests/support/figure.h"

namespace omnium::test {
namespace {

// Of the one cause of a drawing whose variable x is called `object`. Accesses between two lock
// operations, begins or ends are in one line of the source; all are if there is only one.
Cause cause_of(std::string_view drawing, const std::string& object, const char* function = "f",
               bool one_line = false) {
  Trace trace = figure(drawing);
  support::Interner variables;
  for (std::uint32_t i = 0; i < trace.names.variables.size(); ++i) {
    const std::string_view name = trace.names.variables.name(i);
    variables.append(name == "x" ? object : name);
  }
  trace.names.variables = std::move(variables);
  std::vector<int> lines(trace.names.threads.size(), 1);
  for (Event& event : trace.events) {
    int& line = lines[event.thread_id];
    line += !is_access(event.kind);
    event.loc_id = trace.names.locations.intern(
        one_line ? "count.cc:1 in f"
                 : fmt::format("t{}.cc:{} in {}", event.thread_id, line, function));
  }
  MemorySource source(trace);
  auto outcome = check_trace(source, *find_engine("reach"), {});
  EXPECT_TRUE(outcome.has_value());
  Explanation found = explain(source, outcome->violations, outcome->cycle, {});
  EXPECT_EQ(found.causes.size(), 1u) << drawing;
  return found.causes.empty() ? Cause{} : found.causes.front();
}

Noise noise_in(std::string_view drawing, const std::string& object, const char* function = "f") {
  return cause_of(drawing, object, function).noise;
}

constexpr std::string_view kUpdates = R"(
  T1: begin(a) rmw(x)        rmw(x) end
  T2:                 rmw(x)            )";

TEST(Noise, IsWhatIsOnlyCounted) {
  EXPECT_EQ(noise_in(kUpdates, "buffer.refs"), Noise::kReferenceCount);
  EXPECT_EQ(noise_in(kUpdates, "Node::use_count #2"), Noise::kReferenceCount);
  EXPECT_EQ(noise_in(kUpdates, "block of Image"), Noise::kReferenceCount) << "of a shared_ptr";
  EXPECT_EQ(noise_in(kUpdates, "server.stats.bytes"), Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(kUpdates, "bytes", "Statistics::add"), Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(kUpdates, "balance"), Noise::kNone) << "the name says nothing of the kind";
}

TEST(Noise, IsNotWhatIsWritten) {
  constexpr std::string_view kWrites = R"(
      T1: begin(a) w(x)      w(x) end
      T2:               w(x)          )";
  for (const char* name : {"Node::ref_count", "Node::refs", "total"}) {
    EXPECT_EQ(noise_in(kWrites, name), Noise::kNone);
  }
  EXPECT_EQ(noise_in(kWrites, "stats.hits"), Noise::kStatisticsCounter) << "whatever it is set to";
}

TEST(Noise, IsCountedByTheBlockAndReadByOthers) {
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) rmw(x)       rmw(x) end
      T2:                 ar(x)            )",
                     "hits"),
            Noise::kStatisticsCounter);
}

TEST(Noise, IsAPlainCounterWithALock) {
  constexpr std::string_view kLocked = R"(
      T1: begin(a) acq(m) r(x) w(x) rel(m)                          acq(m) r(x) w(x) rel(m) end
      T2:                                  acq(m) r(x) w(x) rel(m)                              )";
  EXPECT_EQ(noise_in(kLocked, "hits"), Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(kLocked, "total"), Noise::kNone);
}

// `acq; x += n; if (x > most) most = x; rel`: the reads belong to the update.
TEST(Noise, IsAPlainCounterThatIsReadInTheSameSection) {
  constexpr std::string_view kMost = R"(
      T1: begin(a) acq(m) r(x) w(x) r(x) rel(m)                         acq(m) r(x) w(x) r(x)
      T2:                                       acq(m) r(x) w(x) rel(m)                       )";
  EXPECT_EQ(noise_in(kMost, "stats.bytes"), Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(kMost, "refs"), Noise::kNone) << "who comes to zero frees it";
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) acq(m) r(x) w(x) rel(m)                         acq(m) r(x) rel(m) end
      T2:                                  acq(m) r(x) w(x) rel(m)                       )",
                     "stats.bytes"),
            Noise::kNone)
      << "in a section of its own";
}

// Of a running program's events some are lost: here those of T2 before its write, in a place where
// T1 updates, are.
TEST(Noise, IsAWriteWhereOthersUpdate) {
  constexpr std::string_view kRest = R"(
      T1: begin(a) acq(m) r(x) w(x) rel(m)      acq(m) r(x) w(x) rel(m) end
      T2:                                  w(x)                             )";
  EXPECT_EQ(cause_of(kRest, "hits", "f", true).noise, Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(kRest, "hits"), Noise::kStatisticsCounter) << "whatever else it is, no lock";
  EXPECT_EQ(noise_in(kRest, "refs"), Noise::kReferenceCount);
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) acq(m) r(x) w(x) rel(m)                    acq(m) r(x) w(x) rel(m) end
      T2:                                  acq(m) w(x) rel(m)                             )",
                     "refs"),
            Noise::kNone)
      << "set";
  // T1 is where it has read, but not written yet.
  constexpr std::string_view kBegun = R"(
      T1: begin(a) acq(m) r(x) w(x) rel(m)                    acq(m) r(x)
      T2:                                  acq(m) w(x) rel(m)             )";
  EXPECT_EQ(cause_of(kBegun, "hits", "f", true).noise, Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(kBegun, "hits"), Noise::kNone) << "elsewhere";
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) w(x)      acq(m) r(x) w(x) rel(m) end
      T2:               w(x)                             )",
                     "refs"),
            Noise::kReferenceCount)
      << "the first event that is left of T1's update";
  constexpr std::string_view kNoLock = R"(
      T1: begin(a) acq(m) r(x) w(x) rel(m)           acq(m) r(x)
      T2:                                  r(x) w(x)             )";
  EXPECT_EQ(cause_of(kNoLock, "hits", "f", true).noise, Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(kNoLock, "hits"), Noise::kNone);
  EXPECT_EQ(cause_of(R"(
      T1: begin(a) r(x) w(x)           r(x) w(x) end
      T2:                    r(x) w(x)               )",
                     "hits", "f", true)
                .noise,
            Noise::kNone)
      << "a lock is missing";
}

TEST(Noise, IsNoCounterThatTheBlockReads) {
  for (const char* name : {"refs", "hits"}) {
    EXPECT_EQ(noise_in(R"(
      T1: begin(a) rmw(x)        ar(x) end
      T2:                 rmw(x)           )",
                       name),
              Noise::kNone)
        << "decremented, then tested";
    EXPECT_EQ(noise_in(R"(
      T1: begin(a) rmw(x)        rmw(x) ar(x) end
      T2:                 rmw(x)                  )",
                       name),
              Noise::kNone)
        << "incremented, decremented, then tested";
    EXPECT_EQ(noise_in(R"(
      T1: begin(a) ar(x)        rmw(x) end
      T2:                rmw(x)            )",
                       name),
              Noise::kNone)
        << "tested, then incremented";
    EXPECT_EQ(noise_in(R"(
      T1: begin(a) ar(x)        aw(x) end
      T2:                rmw(x)           )",
                       name),
              Noise::kNone)
        << "a lost update";
    EXPECT_EQ(noise_in(R"(
      T1: begin(a) rmw(x)       rmw(x) end
      T2:                 aw(x)            )",
                       name),
              Noise::kNone)
        << "reset";
  }
}

TEST(Noise, IsNoLostUpdateOfACounter) {
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) acq(m) r(x) rel(m)                         acq(m) w(x) rel(m) end
      T2:                             acq(m) r(x) w(x) rel(m)                        )",
                     "hits"),
            Noise::kNone);
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) r(x)      w(x) end
      T2:               w(x)          )",
                     "hits"),
            Noise::kNone)
      << "in one line, but without a lock";
}

TEST(Noise, IsNothingAboutTwoVariables) {
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) rmw(x)                                rmw(stats) end
      T2:                 begin(b) ar(x) ar(stats) end                  )",
                     "stats.sales"),
            Noise::kNone)
      << "they belong together";
}

// Where the block is left and where it is entered again it only counts, whatever lies between.
TEST(Noise, IsTwoCountersThatHaveNothingToDoWithEachOther) {
  constexpr std::string_view kCounters = R"(
      T1: begin(a) rmw(x)                                    rmw(stats.bytes) end
      T2:                 begin(b) ar(x) ar(stats.bytes) end                      )";
  EXPECT_EQ(noise_in(kCounters, "metrics.hits"), Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(kCounters, "stats.sales"), Noise::kNone) << "a sum and a count";
  EXPECT_EQ(noise_in(kCounters, "hits"), Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(kCounters, "balance"), Noise::kNone);
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) rmw(x)                               rmw(misses) end
      T2:                 begin(b) ar(x) ar(misses) end                 )",
                     "hits"),
            Noise::kNone)
      << "neither is in a structure";
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) rmw(x)                                 rmw(stats[2]) end
      T2:                 begin(b) ar(x) ar(stats[2]) end                   )",
                     "stats[1]"),
            Noise::kStatisticsCounter)
      << "of one array";
}

TEST(Noise, IsWhatStatisticsRead) {
  const auto drawing = [](const std::string& block, const std::string& last) {
    return "T1: begin(" + block + ") r(x)                    " + last +
           " end\nT2:                               w(x) w(y)           ";
  };
  EXPECT_EQ(noise_in(drawing("print_stats", "r(y)"), "total"), Noise::kStatisticsCounter);
  EXPECT_EQ(noise_in(drawing("print_stats", "w(y)"), "total"), Noise::kNone) << "it writes";
  EXPECT_EQ(noise_in(drawing("print_status", "r(y)"), "total"), Noise::kNone);
}

TEST(Noise, IsNothingIfOneViolationIsNot) {
  const Cause cause = cause_of(R"(
      T1: begin(a) rmw(x)        rmw(x) end begin(a) ar(x)        rmw(x) end
      T2:                 rmw(x)                           rmw(x)            )",
                               "hits");
  EXPECT_EQ(cause.count, 2u);
  EXPECT_EQ(cause.noise, Noise::kNone);
}

// The first cause is noise, and there is room for one picture.
TEST(Noise, TakesNoRoomFromTheRest) {
  const Trace trace = figure(R"(
  T1: begin(a) rmw(hits)           rmw(hits) end
  T2:                    rmw(hits)               begin(b) r(y)      w(y) end
  T3:      begin(c) r(z)                                       w(y)          w(z) end
  T4:                                                                   w(z)          )");
  MemorySource source(trace);
  const auto outcome = check_trace(source, *find_engine("reach"), {});
  ASSERT_TRUE(outcome.has_value());
  const Explanation found = explain(source, outcome->violations, outcome->cycle, {1});
  ASSERT_EQ(found.causes.size(), 3u);
  EXPECT_EQ(found.causes[0].noise, Noise::kStatisticsCounter);
  EXPECT_FALSE(found.causes[1].picture.steps.empty());
  EXPECT_TRUE(found.causes[2].picture.steps.empty());
}

TEST(Noise, IsLazyInitializationThatIsCheckedTwice) {
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) ar(x)                            acq(m) ar(x) rel(m) end
      T2:                acq(m) ar(x) aw(x) rel(m)                          )",
                     "instance"),
            Noise::kLazyInitialization);
}

TEST(Noise, IsNotEveryReadThatIsRepeated) {
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) acq(m) r(x) rel(m)                    acq(m) r(x) rel(m) end
      T2:                             acq(m) w(x) rel(m)                        )",
                     "instance"),
            Noise::kNone)
      << "the first one counts as much";
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) ar(x)                    ar(x) end
      T2:                acq(m) aw(x) rel(m)          )",
                     "instance"),
            Noise::kNone)
      << "without the lock";
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) ar(x)                           acq(m) ar(x) rel(m) end
      T2:                acq(m) aw(x) aw(x) rel(m)                         )",
                     "instance"),
            Noise::kNone)
      << "it changes again";
  EXPECT_EQ(noise_in(R"(
      T1: begin(a) ar(x)                     acq(m) ar(x) aw(x) rel(m) end
      T2:                acq(m) aw(x) rel(m)                               )",
                     "instance"),
            Noise::kNone)
      << "the block writes it";
}

std::string own_lock_in(std::string_view drawing, const std::string& object = "x") {
  const Cause cause = cause_of(drawing, object);
  return cause.own_lock ? "found" : "none";
}

TEST(OwnLock, IsTakenByUpdatesAndGivenBackByStores) {
  EXPECT_EQ(own_lock_in(R"(
      T1: begin(a) rmw(x) aw(x)              rmw(x) aw(x) end
      T2:                       rmw(x) aw(x)                  )"),
            "found");
  EXPECT_EQ(own_lock_in(R"(
      T1: begin(a) rmw(x)        aw(x)              rmw(x) aw(x) end
      T2:                 rmw(x)       rmw(x) aw(x)                  )"),
            "found")
      << "one exchange was in vain";
}

TEST(OwnLock, IsNotEveryAtomicVariable) {
  EXPECT_EQ(own_lock_in(kUpdates), "none");
  EXPECT_EQ(own_lock_in(R"(
      T1: begin(a) rmw(x) aw(x)       rmw(x) aw(x) end
      T2:                       aw(x)                  )"),
            "none")
      << "T2 only stores";
  EXPECT_EQ(own_lock_in(R"(
      T1: begin(a) w(x) w(x)           w(x) w(x) end
      T2:                    w(x) w(x)               )"),
            "none");
}

TEST(NameWords, AreThoseOfAPerson) {
  const std::vector<std::string> expected{"cache", "hit", "count"};
  EXPECT_EQ(words_of("cache_.hitCount[3]"), expected);
  EXPECT_TRUE(names_references("std::_Sp_counted_base::_M_use_count"));
  EXPECT_TRUE(names_references("Image::refCount, allocated at image.cc:12"));
  EXPECT_FALSE(names_references("ref_count.head"));
  EXPECT_FALSE(names_references("Node::ref"));
  EXPECT_TRUE(names_references("refs[3]"));
  EXPECT_FALSE(names_references("preferences"));
  EXPECT_TRUE(names_statistics("Server::metrics_.bytes"));
  EXPECT_FALSE(names_statistics("status"));
}

}  // namespace
}  // namespace omnium::test
