// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Teams of OpenMP with GCC and libgomp. libgomp's threads continue to exist between parallel
// regions and wait for each other without functions that we could see, so the order comes from what
// the program calls: a region starts after what its creator did, a barrier has rounds, and the end
// of a region is the last round.
#pragma once

#include "runtime/events/events.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

struct Team {
  void (*body)(void*);
  void* data;
  Pc pc;
  const void* creator;  // identifies the creating thread among the members
  std::uint64_t last_round;
  SpinLock lock;
  Meeting start;
  std::uint64_t
      serves[2];  // the round of each meeting; all members go from one to the next together
  Meeting rounds[2];
  alignas(8) char ordered;  // its address names the lock of ordered sections
};

// Tasks that are waited for together: the children of one task, or a task group.
struct AwaitedTasks {
  std::atomic<int> references;
  AwaitedTasks* around;  // for a group: the group around it
  Meeting finished;
};
AwaitedTasks* new_awaited_tasks(AwaitedTasks* around);
AwaitedTasks* share(AwaitedTasks* tasks);  // null is fine
void let_go(AwaitedTasks* tasks);

// What a thread executes: its part of a region, or a task.
struct Member {
  Team* team;
  std::uint64_t round;     // from 1
  AwaitedTasks* children;  // null before the first
  AwaitedTasks* group;     // null: none
  Member* around;
};
extern thread_local Member* tls_member __attribute__((tls_model("initial-exec")));

// Before the end of a round of the team's barrier and after it.
void arrive(Team& team, std::uint64_t round, Pc pc);
void depart(Team& team, std::uint64_t round, Pc pc);

}  // namespace omnium::runtime
