// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Teams of OpenMP. The threads of libgomp and libomp continue to exist between parallel regions and
// wait for each other without functions that we could see, so the order comes from what the program
// calls (GCC and libgomp) or from what the library tells (clang and libomp, openmp_tool.cc): a
// region starts after what its creator did, a barrier has rounds, and the end of a region is the
// last round.
#pragma once

#include <cstddef>

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

// A team whose region starts; null if there is no memory.
Team* new_team(void (*body)(void*), void* data, Pc pc);
void forget_team(Team* team);

// Tasks that are waited for together: the children of one task, or a task group.
struct AwaitedTasks {
  std::atomic<int> references;
  AwaitedTasks* around;  // for a group: the group around it
  Meeting finished;
};
AwaitedTasks* new_awaited_tasks(AwaitedTasks* around);
AwaitedTasks* share(AwaitedTasks* tasks);  // null is fine
void let_go(AwaitedTasks* tasks);

// What `depend` says of a task. Starts and ends of tasks are ordered as those of readers and
// writers of a lock, which is separate from the data at the address.
struct Dependence {
  const void* address;
  bool writes;
};
inline constexpr std::size_t kMostDependences = 16;
void order_starts(const Dependence* dependences, std::size_t count, Pc pc);
void order_ends(const Dependence* dependences, std::size_t count, Pc pc);

// What a thread executes: its part of a region, or a task.
struct Member {
  Team* team;
  std::uint64_t round;     // from 1
  AwaitedTasks* children;  // null before the first
  AwaitedTasks* group;     // null: none
  Member* around;
};
extern thread_local Member* tls_member __attribute__((tls_model("initial-exec")));

// Runs what belongs to another task than the one that the thread is in, whose blocks are suspended.
template <typename Other>
auto outside_of_blocks(Pc pc, Other other) {
  const std::size_t size = memory_for_open_blocks();
  void* const memory = size == 0 ? nullptr : __builtin_alloca(size);
  struct Resumption {
    const SuspendedBlocks* const suspended;
    ~Resumption() { resume_blocks(suspended); }
  };
  const Resumption resumption{suspend_blocks(memory, pc)};
  return other();
}

// Before the end of a round of the team's barrier and after it.
void arrive(Team& team, std::uint64_t round, Pc pc);
void depart(Team& team, std::uint64_t round, Pc pc);

// The team of the thread in libomp; null outside of regions.
extern thread_local Team* tls_tool_team __attribute__((tls_model("initial-exec")));

// A reduction of libomp. With more than four threads they meet at a barrier of its own, and as they
// arrive the library has one thread after the other combine its part with those of others.
struct Reduction {
  void (*combine)(void*, void*);
  Pc pc;
  Team* team;  // null before the thread has come to that barrier, or if there is none
  std::uint64_t round;
  Reduction* around;
};
extern thread_local Reduction* tls_reduction __attribute__((tls_model("initial-exec")));

}  // namespace omnium::runtime
