// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is counted through locks without recorded accesses, by definition.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "engines/checker.h"
#include "event/memory_trace.h"
#include "tests/support/random_rich_trace.h"
#include "tests/support/reference.h"

namespace omnium::test {
namespace {

// Locks that several threads took, and nobody accessed anything while holding them.
std::set<std::uint32_t> silent_locks(std::span<const Event> events) {
  std::map<std::uint32_t, std::set<std::uint32_t>> users;
  std::set<std::uint32_t> guarding;
  std::map<std::uint32_t, std::set<std::uint32_t>> held, guarded;  // by thread
  for (const Event& event : events) {
    auto& mine = held[event.thread_id];
    if (takes_lock(event.kind)) {
      users[event.object].insert(event.thread_id);
      mine.insert(event.object);
    }
    if (is_access(event.kind)) guarded[event.thread_id].insert(mine.begin(), mine.end());
    if (!gives_lock_back(event.kind)) continue;
    // Only a section that ended counts.
    if (guarded[event.thread_id].erase(event.object) != 0) guarding.insert(event.object);
    mine.erase(event.object);
  }
  std::set<std::uint32_t> silent;
  for (const auto& [lock, threads] : users) {
    if (threads.size() > 1 && !guarding.contains(lock)) silent.insert(lock);
  }
  return silent;
}

TEST(SilentLocks, AreCountedByDefinition) {
  std::uint64_t counted = 0;
  for (std::uint64_t seed = 0; seed < 8'000; ++seed) {
    Trace trace = random_rich_trace(seed, {3, 30, 30});
    // Fewer accesses, so that there are sections without.
    for (Event& event : trace.events) {
      if (is_access(event.kind) && (event.object + seed) % 3 != 0) event.kind = Kind::kSkip;
    }
    std::erase_if(trace.events, [](const Event& event) { return event.kind == Kind::kSkip; });
    MemorySource source(trace);
    CheckOptions options;
    options.look_through_silent_locks = true;
    const auto outcome = check_trace(source, *find_engine(kDefaultEngine), options);
    ASSERT_TRUE(outcome);

    const std::set<std::uint32_t> silent = silent_locks(trace.events);
    std::vector<Event> events = trace.events;
    for (Event& event : events) {
      const bool lock = takes_lock(event.kind) || gives_lock_back(event.kind);
      if (!lock || silent.contains(event.object) || event.kind == Kind::kResume) continue;
      event.kind = Kind::kBusy;
    }
    std::uint64_t more = 0;
    const Reference before(trace.events, kDefaultMode);
    const Reference after(events, {Conflicts::kAll, Waits::kSplit});
    for (const BlockRef& block : after.verdict().violating) {
      more += before.verdict().violating.count(block) == 0;
    }
    EXPECT_EQ(outcome->through_silent_locks, silent.empty() ? 0 : more) << "seed " << seed;
    counted += outcome->through_silent_locks;
  }
  EXPECT_GT(counted, 20u);
}

}  // namespace
}  // namespace omnium::test
