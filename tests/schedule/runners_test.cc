// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Who may run, as far as the runtime knows, and naps that nobody has to wait for.
#include "runtime/schedule/runners.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/schedule/naps.h"

namespace omnium::runtime {
namespace {

constexpr std::uint32_t kHour = 3'600'000'000;  // microseconds
constexpr std::uint64_t kHourInNanoseconds = std::uint64_t{kHour} * 1000;

class Runners : public testing::Test {
 protected:
  void SetUp() override { prepare_runners(); }
  void TearDown() override {
    EXPECT_FALSE(nobody_runs()) << "this thread does";
    stop_runners();
  }

  // As the interposed functions tell it.
  void start(const std::function<void()>& body) {
    runner_created();
    threads_.emplace_back([body] {
      body();
      runner_ends(nullptr);
    });
  }
  void join() {
    const Blocked blocked(&threads_);
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::vector<std::thread> threads_;
};

// Opens once. Whoever waits for it is known to wait.
class Gate {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    if (is_open_) return;
    const Blocked blocked(this);
    waits_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return is_open_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    release_runners(this, true);
    changed_.notify_all();
  }
  void until_somebody_waits() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waits_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false, waits_ = false;
};

TEST_F(Runners, AnHourIsOverAtOnceIfNobodyCanUseIt) {
  const std::uint32_t jumps = rest_jumps;
  EXPECT_GE(nap_for(kHour), kHourInNanoseconds);
  EXPECT_NE(rest_jumps, jumps);
}

TEST_F(Runners, WhoWaitsForAnObjectCannotUseIt) {
  Gate gate;
  start([&] { gate.wait(); });
  gate.until_somebody_waits();
  EXPECT_GE(nap_for(kHour), kHourInNanoseconds);
  gate.open();
  join();
}

TEST_F(Runners, TimePassesAsItDoesWhileSomebodyRuns) {
  std::atomic<bool> runs{false}, stop{false};
  start([&] {
    runs = true;
    while (!stop) {
    }
  });
  while (!runs) std::this_thread::yield();
  const std::uint32_t jumps = rest_jumps;
  constexpr std::uint32_t kMoment = 20'000;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_GE(nap_for(kMoment), std::uint64_t{kMoment} * 1000);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::microseconds(kMoment));
  EXPECT_EQ(rest_jumps, jumps);
  stop = true;
  join();
}

TEST_F(Runners, WhoNapsForLessGoesOnFirst) {
  std::mutex mutex;
  std::vector<int> order;
  for (const int hours : {3, 1, 2}) {
    start([&, hours] {
      for (int i = 0; i < hours; ++i) nap_for(kHour);
      const std::lock_guard lock(mutex);
      order.push_back(hours);
    });
  }
  join();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST_F(Runners, ReleasedThreadsMayRunBeforeTheyDo) {
  const int object = 0;
  Blocked here(&object);
  EXPECT_TRUE(nobody_runs());
  release_runners(&object, true);
  EXPECT_FALSE(nobody_runs());
  here.goes_on();
  EXPECT_FALSE(nobody_runs());
}

TEST_F(Runners, OnlyOneIsReleasedIfOnlyOneCanGoOn) {
  Gate first, second;
  const int object = 0, another = 0;
  // Both wait for the object; then this thread does.
  for (Gate* gate : {&first, &second}) {
    start([&, gate] {
      gate->wait();
      Blocked blocked(&object);
      blocked.goes_on();
    });
  }
  first.until_somebody_waits();
  second.until_somebody_waits();
  release_runners(&another, true);
  Blocked here(&object);
  EXPECT_TRUE(nobody_runs());
  release_runners(&object, false);
  EXPECT_FALSE(nobody_runs());
  here.goes_on();
  first.open();
  second.open();
  join();
}

TEST_F(Runners, AThreadThatWasNotCreatedDoesNotRun) {
  runner_created();
  Blocked here(this);
  EXPECT_FALSE(nobody_runs());
  runner_not_created();
  EXPECT_TRUE(nobody_runs());
  here.goes_on();
}

TEST_F(Runners, KnowsWhoRests) {
  EXPECT_EQ(who_rests().count, 0u);
  runner_created();  // somebody who runs, so that nobody is woken
  {
    const Resting rests(kForEver);
    const RestingThreads threads = who_rests();
    ASSERT_EQ(threads.count, 1u);
    EXPECT_EQ(threads.numbers[0], ::gettid());
  }
  EXPECT_EQ(who_rests().count, 0u);
  runner_not_created();
}

TEST(RunnersThatDoNotMatter, NapForReal) {
  const std::uint32_t jumps = rest_jumps;
  constexpr std::uint32_t kMoment = 2'000;
  const auto begin = std::chrono::steady_clock::now();
  nap_for(kMoment);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::microseconds(kMoment));
  EXPECT_EQ(rest_jumps, jumps);
  const Blocked blocked(&begin);
  EXPECT_FALSE(nobody_runs());
}

}  // namespace
}  // namespace omnium::runtime
