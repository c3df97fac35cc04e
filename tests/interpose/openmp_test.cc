// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// OpenMP as GCC compiles it. The bodies of regions are named after what they do.
#include <atomic>
#include <cstddef>
#include <regex>
#include <string>

#include <gtest/gtest.h>
#include <omp.h>

#include "tests/interpose/event_log.h"

namespace omnium::test {
namespace {

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
}

// Meetings carry the name of the outlined function; tests that need it call libgomp themselves.
extern "C" {
void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags);
void GOMP_barrier();
void GOMP_task(void (*body)(void*), void* data, void (*copy)(void*, void*), long size, long align,
               bool deferred, unsigned flags, void** depend, int priority, void* detach);
void GOMP_taskwait();
}

void meet_once(void*) { GOMP_barrier(); }

TEST(OpenMp, RegionsAndBarriers) {
  omp_set_dynamic(0);
  const EventLog log(reinterpret_cast<const void*>(meet_once), "region");
  GOMP_parallel(meet_once, nullptr, 3, 0);
  const std::string text = log.text();
  // The start, one barrier, the end.
  EXPECT_EQ(count(text, "T0 contribute region #1"), 1u) << text;
  EXPECT_EQ(count(text, "collect region #1"), 3u) << text;
  EXPECT_EQ(count(text, "contribute region #2"), 3u) << text;
  EXPECT_EQ(count(text, "collect region #2"), 3u) << text;
  EXPECT_EQ(count(text, "contribute region #3"), 3u) << text;
  EXPECT_EQ(count(text, "T0 collect region #3"), 1u) << text;
  EXPECT_LT(text.rfind("contribute region #2"), text.find("collect region #2")) << text;
  EXPECT_LT(text.rfind("contribute region #3"), text.find("collect region #3")) << text;
}

// What the creator does as a member belongs to another task than what it does around the region.
TEST(OpenMp, BlocksAroundARegionAreSuspended) {
  omp_set_dynamic(0);
  const EventLog log(reinterpret_cast<const void*>(meet_once), "region");
  GOMP_parallel(meet_once, nullptr, 3, 0);
  const std::string text = log.text();
  EXPECT_EQ(count(text, "blocks_suspended"), 1u) << text;
  EXPECT_EQ(count(text, "blocks_resumed"), 1u) << text;
  EXPECT_LT(text.find("T0 contribute region #1"), text.find("T0 blocks_suspended")) << text;
  EXPECT_LT(text.find("T0 blocks_suspended"), text.find("T0 collect region #1")) << text;
  EXPECT_LT(text.find("T0 contribute region #3"), text.find("T0 blocks_resumed")) << text;
  EXPECT_LT(text.find("T0 blocks_resumed"), text.find("T0 collect region #3")) << text;
}

void task(void* data) { **static_cast<int**>(data) += 1; }

void create_task(void* data) {
  if (omp_get_thread_num() != 0) return;
  GOMP_task(task, &data, nullptr, sizeof(data), alignof(void*), true, 0, nullptr, 0, nullptr);
  GOMP_taskwait();
  event_log_note("waited");
}

TEST(OpenMp, TasksPrecedeTheTaskwait) {
  int runs = 0;
  const EventLog log(reinterpret_cast<const void*>(task), "task");
  GOMP_parallel(create_task, &runs, 2, 0);
  EXPECT_EQ(runs, 1);
  const std::string text = log.text();
  const auto created = text.find("T0 contribute task #1");
  EXPECT_LT(created, text.find("collect task #1")) << text;
  EXPECT_EQ(count(text, "contribute task #2"), 1u) << text;  // for the taskwait
  EXPECT_LT(text.find("contribute task #2"), text.find("T0 note waited")) << text;
  // Of the creator of the region, and of whoever executes the task.
  EXPECT_EQ(count(text, "blocks_suspended"), 2u) << text;
  const auto runs_task = text.find("blocks_suspended", text.find("blocks_suspended") + 1);
  EXPECT_LT(runs_task, text.find("collect task #1")) << text;
  EXPECT_LT(text.find("contribute task #2"), text.find("blocks_resumed")) << text;
}

TEST(OpenMp, EveryConstructStillWorks) {
  const EventLog log;
  long sum = 0, ordered = 0, chain = 0;
  std::atomic<int> singles = 0, tasks = 0;
  int copied_wrong = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(3)
  for (int i = 0; i < 1000; ++i) sum += i;
  EXPECT_EQ(sum, 499'500);
#pragma omp parallel for ordered schedule(static, 1) num_threads(3)
  for (int i = 0; i < 30; ++i) {
#pragma omp ordered
    ordered = ordered * 3 % 1009 + i;
  }
  long expected = 0;
  for (int i = 0; i < 30; ++i) expected = expected * 3 % 1009 + i;
  EXPECT_EQ(ordered, expected);
#pragma omp parallel num_threads(3)
  {
    int value = 0;
#pragma omp single copyprivate(value)
    {
      value = 42;
      ++singles;
    }
    if (value != 42) {
#pragma omp critical
      ++copied_wrong;
    }
#pragma omp sections
    {
#pragma omp section
      ++singles;
#pragma omp section
      ++singles;
    }
#pragma omp single
    {
#pragma omp taskgroup
      for (int i = 0; i < 20; ++i) {
#pragma omp task firstprivate(i)
        tasks += i;
      }
      EXPECT_EQ(tasks, 190);
#pragma omp taskloop num_tasks(4)
      for (int i = 0; i < 100; ++i) ++tasks;
      EXPECT_EQ(tasks, 290);
      for (int i = 0; i < 10; ++i) {
#pragma omp task depend(inout : chain) firstprivate(i)
        chain = chain * 2 + i;
      }
#pragma omp taskwait
    }
  }
  EXPECT_EQ(singles, 3);
  EXPECT_EQ(copied_wrong, 0);
  EXPECT_EQ(chain, 1013);
}

TEST(OpenMp, Locks) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  const EventLog log(&lock, "lock");
  event_log_name(&nest, "nest");
  omp_set_lock(&lock);
  EXPECT_EQ(omp_test_lock(&lock), 0);
  omp_unset_lock(&lock);
  omp_set_nest_lock(&nest);
  EXPECT_EQ(omp_test_nest_lock(&nest), 2);
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  EXPECT_EQ(log.text(), "T0 acquire lock\nT0 release lock\nT0 acquire nest\nT0 release nest\n");
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
}

}  // namespace
}  // namespace omnium::test
