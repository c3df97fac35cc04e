// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Serial plans, their text, the search for the next one, and shrinking.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "hunt/serial_run.h"
#include "hunt/serial_search.h"
#include "hunt/serial_shrink.h"

namespace omnium::hunt {
namespace {

Switch at(std::string from, std::uint64_t address, std::uint32_t visit, std::string to) {
  return {std::move(from), std::move(to), false, {"/bin/bank", address}, visit};
}

SerialPlan small_plan() {
  SerialPlan plan;
  plan.switches = {at("0.0", 0x1cc8, 2, "0.1"), {"0", "0.2", true, {}, 1}};
  plan.places = {{"/bin/bank", 0x1cc8}, {"/lib/libshop.so", 0x20}};
  plan.hasty = true;
  return plan;
}

TEST(SerialText, IsReadAsItWasWritten) {
  const std::string text = to_text(small_plan());
  EXPECT_EQ(text,
            "module /bin/bank\nmodule /lib/libshop.so\nhasty\npoint 0:1cc8\npoint 1:20\n"
            "switch 0.0 0:1cc8 2 0.1\nstop 0 1 0.2\n");
  const auto plan = read_plan(text);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->switches, small_plan().switches);
  EXPECT_EQ(plan->places, small_plan().places);
  EXPECT_TRUE(plan->hasty);
  EXPECT_FALSE(plan->loose);
}

TEST(SerialText, KnowsAVirtualClock) {
  SerialPlan plan = small_plan();
  plan.clock_start = 1'700'000'000;
  const std::string text = to_text(plan);
  EXPECT_NE(text.find("clock 1700000000\n"), std::string::npos);
  const auto again = read_plan(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->clock_start, plan.clock_start);
  EXPECT_FALSE(read_plan("clock soon\n"));
  EXPECT_EQ(SerialSearch(1, 5).next().clock_start, 5u);
}

TEST(SerialText, RefusesWhatItDoesNotKnow) {
  for (const char* line : {"switch 0 0:1 1 0.1", "switch 0", "stop 0 x 0.1", "point 0", "jump 0"}) {
    EXPECT_FALSE(read_plan(line)) << line;
  }
  EXPECT_FALSE(read_plan("module /bin/bank\nswitch 0 0:xyz 1 0.1\n"));
}

TEST(SerialText, KnowsTheAccessesOfSteps) {
  const std::string steps =
      "module /bin/bank\nstep 0 read 0:1cc8,0:1cd0 gate 0:1c00\n# thread 1 reads at bank.cpp:14\n"
      "step 1 write 0:1d6a same 0 late\n# thread 2 writes at bank.cpp:19\n";
  const std::set<Code> places = {
      {"/bin/bank", 0x1cc8}, {"/bin/bank", 0x1cd0}, {"/bin/bank", 0x1d6a}};
  EXPECT_EQ(places_of_steps(steps), places);
  EXPECT_EQ(comments_of(steps),
            "# thread 1 reads at bank.cpp:14\n# thread 2 writes at bank.cpp:19\n");
  EXPECT_TRUE(places_of_steps("step 0 read 3:1cc8\n").empty()) << "there is no such module";
}

TEST(SerialFile, WithoutARunNothingIsSerial) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("board-" + std::to_string(::getpid()))).string();
  auto file = SerialFile::create(path);
  ASSERT_TRUE(file);
  file->write(small_plan());
  const SerialResult result = file->read();
  EXPECT_FALSE(result.is_serial);
  EXPECT_EQ(result.not_reached, 1u);
  EXPECT_TRUE(result.switches.empty());
  std::filesystem::remove(path);
}

// A run of two threads, with points at 1, 2, 3 of each.
SerialResult plain_run() {
  SerialResult result;
  result.is_serial = result.is_exact = true;
  for (const char* thread : {"0.0", "0.1"}) {
    for (std::uint64_t address = 1; address <= 3; ++address) {
      result.points.push_back({thread, {"/bin/bank", address}, 1});
    }
    wire::SerialThreadCount count{};
    std::ranges::copy(std::string_view(thread), count.path.text);
    count.points = 3;
    result.counts.push_back(count);
  }
  result.point_count = result.points.size();
  result.last_new = 6;
  return result;
}

TEST(SerialSearch, LearnsFirstAndThenSwitchesEverywhere) {
  SerialSearch search(1);
  std::set<Switch> single;
  for (int i = 0; i < 120; ++i) {
    const SerialPlan plan = search.next();
    if (i < 2) {
      EXPECT_EQ(plan.strategy, SerialStrategy::kFollow);
      EXPECT_TRUE(plan.switches.empty());
    }
    if (plan.strategy == SerialStrategy::kFollow && plan.switches.size() == 1) {
      single.insert(plan.switches.front());
    }
    SerialResult result = plain_run();
    if (i >= 2) result.last_new = 0;
    search.take(plan, result);
  }
  EXPECT_EQ(single.size(), 6u);  // each of the points, to the other thread
}

TEST(SerialSearch, StepsLeaveNothingToChanceAtFirst) {
  SerialSearch search(1);
  SerialResult timed = plain_run();
  timed.knows_time = true;
  search.take(search.next(), timed);
  const std::set<Code> places = {{"/bin/bank", 9}};
  const SerialPlan first = search.by_steps(places, 0), then = search.by_steps(places, 1);
  EXPECT_EQ(first.strategy, SerialStrategy::kSteps);
  EXPECT_EQ(first.places, places);
  EXPECT_EQ(first.seed, 0u);
  EXPECT_FALSE(first.hasty);
  EXPECT_NE(then.seed, 0u);
  EXPECT_TRUE(then.hasty) << "the program knows time";
  EXPECT_EQ(SerialSearch::name_of(first), "serial, steered");
}

TEST(SerialSearch, TriesEachRuleOnce) {
  SerialSearch search(1);
  std::vector<std::uint32_t> rules;
  for (int i = 0; i < 120; ++i) {
    const SerialPlan plan = search.next();
    if (plan.strategy == SerialStrategy::kRule) rules.push_back(plan.rule);
    search.take(plan, plain_run());
  }
  ASSERT_EQ(rules.size(), wire::kSerialRules);
  for (std::uint32_t i = 0; i < rules.size(); ++i) EXPECT_EQ(rules[i], i);
}

TEST(SerialSearch, BeginsWithRulesIfItKnowsSharedPlaces) {
  SerialSearch search(1);
  search.know({{"/bin/bank", 7}});
  const SerialPlan first = search.next();
  EXPECT_EQ(first.strategy, SerialStrategy::kRule);
  EXPECT_TRUE(first.places.contains({"/bin/bank", 7}));
  search.take(first, plain_run());
  // The run without switches comes when points are needed to switch at.
  std::set<Switch> single;
  int plain = 0;
  for (int i = 0; i < 120; ++i) {
    const SerialPlan plan = search.next();
    const bool follows = plan.strategy == SerialStrategy::kFollow;
    plain += follows && plan.switches.empty() ? 1 : 0;
    if (follows && plan.switches.size() == 1) single.insert(plan.switches.front());
    SerialResult result = plain_run();
    result.last_new = 0;
    search.take(plan, result);
  }
  EXPECT_EQ(plain, 1);
  EXPECT_EQ(single.size(), 6u);
}

TEST(SerialSearch, ContinuesWhatShowedSomethingNew) {
  SerialSearch search(2);
  for (int i = 0; i < 2; ++i) {
    SerialResult result = plain_run();
    result.switches = {at("0.0", 1, 1, "0.1"), at("0.1", 2, 1, "0.0")};
    result.switches[0].time = 1;
    result.switches[1].time = 4;
    search.take(search.next(), result);
  }
  std::set<std::size_t> sizes;
  for (int i = 0; i < 150; ++i) {
    const SerialPlan plan = search.next();
    if (plan.begin == 0) continue;
    for (const Switch& one : plan.switches) EXPECT_LT(one.time, plan.begin);
    sizes.insert(plan.switches.size());
  }
  EXPECT_EQ(sizes, (std::set<std::size_t>{0, 1, 2}));
}

TEST(SerialShrink, KeepsWhatIsNeeded) {
  std::vector<Switch> all;
  for (std::uint32_t i = 1; i <= 40; ++i) all.push_back(at("0.0", i, 1, "0.1"));
  const std::vector<Switch> needed = {all[3], all[17], all[38]};
  int runs = 0;
  const auto try_switches = [&](const std::vector<Switch>& some) {
    ++runs;
    const bool shows = std::ranges::all_of(
        needed, [&](const Switch& one) { return std::ranges::find(some, one) != some.end(); });
    return shows ? std::optional(some) : std::nullopt;
  };
  EXPECT_EQ(shrink(all, try_switches, [] { return true; }), needed);
  EXPECT_LT(runs, 60);
  EXPECT_EQ(shrink(all, try_switches, [] { return false; }), all);
}

}  // namespace
}  // namespace omnium::hunt
