// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Parallel regions, barriers and the constructs that end with one.
#include <new>

#include "runtime/interpose/allocation.h"
#include "runtime/interpose/openmp.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"

namespace omnium::runtime {

thread_local Member* tls_member = nullptr;

namespace {

using Body = void(void*);

// Uses the meeting for the round, if it is still in use for an older one.
Meeting& meeting_of(Team& team, std::uint64_t round) {
  const std::uint64_t which = round % 2;
  if (team.serves[which] != round) {
    reset(team.rounds[which]);
    team.serves[which] = round;
  }
  return team.rounds[which];
}

const void* name_of(const Team& team) { return reinterpret_cast<const void*>(team.body); }

// Between regions, and at their ends, threads wait in the library for each other.
void run_member(void* pointer) {
  Team& team = *static_cast<Team*>(pointer);
  came_back();
  collect(team.start, name_of(team), team.pc);
  Member member{&team, 1, nullptr, nullptr, tls_member};
  tls_member = &member;
  team.body(team.data);
  tls_member = member.around;
  let_go(member.children);
  if (team.creator == &tls_member) team.last_round = member.round;
  arrive(team, member.round, team.pc);
  goes_away();
}

void end_team(Team* team) {
  depart(*team, team->last_round, team->pc);
  forget_team(team);
}

// `real` creates the team, and returns when the region has ended.
template <typename Real>
auto in_team(Body* body, void* data, Pc pc, Real real) {
  struct Ending {
    Team* const team;
    ~Ending() {
      came_back();
      if (team != nullptr) end_team(team);
    }
  };
  const Ending ending{new_team(body, data, pc)};
  if (ending.team == nullptr) return real(body, data);
  // The creator is a member, too: what it does in the region is another task.
  return outside_of_blocks(pc, [&] {
    goes_away();
    return real(run_member, ending.team);
  });
}

// A construct that ends with the team's barrier.
template <typename Construct>
auto with_barrier(Pc pc, Construct construct) {
  Member* member = tls_member;
  if (member == nullptr) return construct();
  const std::uint64_t round = member->round++;
  arrive(*member->team, round, pc);
  struct Departure {
    Team& team;
    std::uint64_t round;
    Pc pc;
    ~Departure() { depart(team, round, pc); }
  };
  const Departure departure{*member->team, round, pc};
  return call_away(construct);
}

}  // namespace

Team* new_team(void (*body)(void*), void* data, Pc pc) {
  void* memory = allocate_quietly(sizeof(Team));
  if (memory == nullptr) return nullptr;
  Team* team = new (memory) Team{};
  team->body = body;
  team->data = data;
  team->pc = pc;
  team->creator = &tls_member;
  contribute(team->start, name_of(*team), pc);
  return team;
}

void forget_team(Team* team) {
  reset(team->start);
  for (Meeting& round : team->rounds) reset(round);
  forget_lock(&team->ordered);
  free_quietly(team);
}

AwaitedTasks* new_awaited_tasks(AwaitedTasks* around) {
  void* memory = allocate_quietly(sizeof(AwaitedTasks));
  return memory == nullptr ? nullptr : new (memory) AwaitedTasks{1, around, {}};
}

AwaitedTasks* share(AwaitedTasks* tasks) {
  if (tasks != nullptr) tasks->references.fetch_add(1, std::memory_order_relaxed);
  return tasks;
}

void let_go(AwaitedTasks* tasks) {
  if (tasks == nullptr || tasks->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  reset(tasks->finished);
  free_quietly(tasks);
}

void arrive(Team& team, std::uint64_t round, Pc pc) {
  const SpinGuard guard(team.lock);
  contribute(meeting_of(team, round), name_of(team), pc);
}

void depart(Team& team, std::uint64_t round, Pc pc) {
  const SpinGuard guard(team.lock);
  if (team.serves[round % 2] == round) collect(team.rounds[round % 2], name_of(team), pc);
}

// A parallel region: `...` are the arguments after the body and its data.
#define OMNIUM_PARALLEL(result, name, parameters, ...)                                          \
  namespace {                                                                                   \
  OMNIUM_REAL_AS(real_##name, result(Body*, void*, OMNIUM_UNPACK parameters), "GOMP_" #name);   \
  }                                                                                             \
  OMNIUM_INTERPOSE result GOMP_##name(Body* body, void* data, OMNIUM_UNPACK parameters) {       \
    return in_team(body, data, OMNIUM_USER_PC(),                                                \
                   [&](Body* run, void* team) { return real_##name(run, team, __VA_ARGS__); }); \
  }
#define OMNIUM_UNPACK(...) __VA_ARGS__
#define OMNIUM_PARALLEL_LOOP(name)                                                                 \
  OMNIUM_PARALLEL(void, parallel_loop_##name,                                                      \
                  (unsigned threads, long first, long end, long step, long chunk, unsigned flags), \
                  threads, first, end, step, chunk, flags)
#define OMNIUM_PARALLEL_RUNTIME_LOOP(name)                                                      \
  OMNIUM_PARALLEL(void, parallel_loop_##name,                                                   \
                  (unsigned threads, long first, long end, long step, unsigned flags), threads, \
                  first, end, step, flags)

OMNIUM_PARALLEL(void, parallel, (unsigned threads, unsigned flags), threads, flags)
OMNIUM_PARALLEL(unsigned, parallel_reductions, (unsigned threads, unsigned flags), threads, flags)
OMNIUM_PARALLEL(void, parallel_sections, (unsigned threads, unsigned count, unsigned flags),
                threads, count, flags)
OMNIUM_PARALLEL(void, teams_reg, (unsigned teams, unsigned limit, unsigned flags), teams, limit,
                flags)
OMNIUM_PARALLEL_LOOP(static)
OMNIUM_PARALLEL_LOOP(dynamic)
OMNIUM_PARALLEL_LOOP(guided)
OMNIUM_PARALLEL_LOOP(nonmonotonic_dynamic)
OMNIUM_PARALLEL_LOOP(nonmonotonic_guided)
OMNIUM_PARALLEL_RUNTIME_LOOP(runtime)
OMNIUM_PARALLEL_RUNTIME_LOOP(nonmonotonic_runtime)
OMNIUM_PARALLEL_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

#define OMNIUM_WITH_BARRIER(result, name)                                \
  namespace {                                                            \
  OMNIUM_REAL_AS(real_##name, result(), "GOMP_" #name);                  \
  }                                                                      \
  OMNIUM_INTERPOSE result GOMP_##name() {                                \
    return with_barrier(OMNIUM_USER_PC(), [] { return real_##name(); }); \
  }

OMNIUM_WITH_BARRIER(void, barrier)
OMNIUM_WITH_BARRIER(bool, barrier_cancel)
OMNIUM_WITH_BARRIER(void, loop_end)
OMNIUM_WITH_BARRIER(bool, loop_end_cancel)
OMNIUM_WITH_BARRIER(void, sections_end)
OMNIUM_WITH_BARRIER(bool, sections_end_cancel)

namespace {
OMNIUM_REAL_AS(real_single_copy_start, void*(), "GOMP_single_copy_start");
OMNIUM_REAL_AS(real_single_copy_end, void(void*), "GOMP_single_copy_end");
}  // namespace

// One barrier in two halves. The thread that gets null executes the block and then calls the second
// half. The others wait here for the data that it copies to them.
OMNIUM_INTERPOSE void* GOMP_single_copy_start() {
  Member* member = tls_member;
  if (member == nullptr) return real_single_copy_start();
  arrive(*member->team, member->round, OMNIUM_USER_PC());
  void* copied = call_away([] { return real_single_copy_start(); });
  if (copied != nullptr) depart(*member->team, member->round++, OMNIUM_USER_PC());
  return copied;
}

OMNIUM_INTERPOSE void GOMP_single_copy_end(void* copied) {
  with_barrier(OMNIUM_USER_PC(), [copied] { real_single_copy_end(copied); });
}

}  // namespace omnium::runtime
