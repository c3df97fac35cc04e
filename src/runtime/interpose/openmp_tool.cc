// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Regions, barriers and tasks of libomp, as it tells of them by OpenMP's own interface for tools
// (OMPT, OpenMP 5.0, chapter 4). The library keeps a word for us with each region and each task.
#include <new>

#include "runtime/interpose/allocation.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/openmp.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {

thread_local Team* tls_tool_team = nullptr;
thread_local Reduction* tls_reduction = nullptr;

namespace {

// The interface, as its header <omp-tools.h> has it, as far as it is used here.
union Word {
  std::uint64_t value;
  void* pointer;
};
enum Callback : int {
  kParallelBegin = 3,
  kParallelEnd = 4,
  kTaskCreate = 5,
  kTaskSchedule = 6,
  kImplicitTask = 7,
  kDependences = 18,
  kSyncRegion = 23
};
enum Endpoint : int { kBegin = 1, kEnd = 2 };
enum Region : int { kTaskwait = 5, kTaskgroup = 6, kReduction = 7 };  // the others are barriers
enum TaskFlag : unsigned { kInitial = 1, kExplicit = 4 };
enum Status : int { kComplete = 1, kCancel = 3, kDetach = 4, kEarlyFulfil = 5, kLateFulfil = 6 };
struct OtherDependence {
  Word variable;
  int type;  // 1 reads
};
using Function = void (*)();
using LookUp = Function (*)(const char* name);
using SetCallback = int (*)(Callback, Function);
using GetTaskMemory = int (*)(void** address, std::size_t* size, int block);
struct Tool {
  int (*initialize)(LookUp, int, Word*);
  void (*finalize)(Word*);
  Word data;
};

GetTaskMemory get_task_memory;  // null: an older library

// A task of a region: the part of a member, or an explicit one.
struct Task {
  Team* team;
  std::uint64_t round;      // of a member: its next barrier; else: the barrier that waits for it
  AwaitedTasks* children;   // null before the first
  AwaitedTasks* group;      // null: none
  Team* team_around;        // of a member
  void* memory;             // of its blocks, while the thread executes another task
  SuspendedBlocks* blocks;
  // Of an explicit one:
  bool is_explicit;
  bool has_started;
  Pc pc;
  AwaitedTasks* siblings;
  Meeting start;
  std::size_t dependence_count;
  Dependence dependences[kMostDependences];
};

Task* task_of(const Word* word) {
  return word == nullptr ? nullptr : static_cast<Task*>(word->pointer);
}

// The library does not always know which code of the program it works for.
Pc place_of(const void* code, const Team& team) {
  const Pc pc = reinterpret_cast<Pc>(code);
  return is_program_code(pc) ? pc : team.pc;
}

const void* name_of(const Task& task) { return reinterpret_cast<const void*>(task.pc); }

void suspend(Task& task, Pc pc) {
  const std::size_t size = memory_for_open_blocks();
  if (size == 0 || task.memory != nullptr) return;
  task.memory = allocate_quietly(size);
  task.blocks = suspend_blocks(task.memory, pc);
}

void resume(Task& task) {
  if (task.memory == nullptr) return;
  resume_blocks(task.blocks);
  free_quietly(task.memory);
  task.memory = nullptr;
}

void forget_task(Word* word, Task* task) {
  let_go(task->children);
  if (task->is_explicit) {
    let_go(task->siblings);
    let_go(task->group);
    reset(task->start);
  }
  free_quietly(task->memory);
  free_quietly(task);
  word->pointer = nullptr;
}

Task* new_task(Word* word) {
  void* memory = allocate_quietly(sizeof(Task));
  word->pointer = memory == nullptr ? nullptr : new (memory) Task{};
  return static_cast<Task*>(word->pointer);
}

// The blocks of who meets a region are suspended until its end. Outside of all regions there is no
// task that they could belong to, so the team has one for them (Team::data).
void region_begins(Word*, const void*, Word* region, unsigned, int, const void* code) {
  const Pc pc = reinterpret_cast<Pc>(code);
  Team* const team = new_team(reinterpret_cast<void (*)(void*)>(pc), nullptr, pc);
  region->pointer = team;
  if (team == nullptr) return;
  Word around;
  Task* const waiting = new_task(&around);
  team->data = waiting;
  if (waiting != nullptr) suspend(*waiting, pc);
}

void region_ends(Word* region, Word*, int, const void*) {
  Team* const team = static_cast<Team*>(region->pointer);
  if (team == nullptr) return;
  region->pointer = nullptr;
  if (team->data != nullptr) {
    Word around{.pointer = team->data};
    resume(*static_cast<Task*>(team->data));
    forget_task(&around, static_cast<Task*>(team->data));
  }
  if (team->last_round != 0) depart(*team, team->last_round, team->pc);
  forget_team(team);
}

void member_begins(Word* region, Word* word) {
  Team* const team = region == nullptr ? nullptr : static_cast<Team*>(region->pointer);
  Task* const task = team == nullptr ? nullptr : new_task(word);
  if (task == nullptr) return;
  task->team = team;
  task->round = 1;
  task->team_around = tls_tool_team;
  tls_tool_team = team;
  collect(team->start, reinterpret_cast<const void*>(team->body), team->pc);
}

// Of all but the creator it is told late: when the thread is needed again.
void member_ends(Word* word) {
  Task* const task = task_of(word);
  if (task == nullptr) return;
  tls_tool_team = task->team_around;
  forget_task(word, task);
}

void on_implicit_task(Endpoint endpoint, Word* region, Word* task, unsigned, unsigned, int flags) {
  if ((flags & kInitial) != 0) return;
  endpoint == kBegin ? member_begins(region, task) : member_ends(task);
}

// The last barrier is the end of the region. Members other than the creator learn of its end when
// they are needed again, and have no region then.
void on_barrier(Endpoint endpoint, const Word* region, Task& task, Pc pc) {
  if (endpoint == kBegin) {
    if (task.team->creator == &tls_member) task.team->last_round = task.round;
    if (tls_reduction != nullptr && tls_reduction->team == nullptr) {
      tls_reduction->team = task.team;
      tls_reduction->round = task.round;
    }
    return arrive(*task.team, task.round, pc);
  }
  if (region != nullptr && region->pointer != nullptr) depart(*task.team, task.round++, pc);
}

void on_group(Endpoint endpoint, Task& task, Pc pc) {
  if (endpoint == kBegin) {
    AwaitedTasks* const group = new_awaited_tasks(task.group);
    if (group != nullptr) task.group = group;
  } else if (AwaitedTasks* const group = task.group; group != nullptr) {
    collect(group->finished, &group->finished, pc);
    task.group = group->around;
    let_go(group);
  }
}

void on_sync_region(Region kind, Endpoint endpoint, Word* region, Word* word, const void* code) {
  Task* const task = task_of(word);
  if (task == nullptr || kind == kReduction) return;
  const Pc pc = place_of(code, *task->team);
  if (kind == kTaskgroup) return on_group(endpoint, *task, pc);
  if (kind != kTaskwait) return on_barrier(endpoint, region, *task, pc);
  if (endpoint == kBegin || task->children == nullptr) return;
  collect(task->children->finished, &task->children->finished, pc);
}

void on_task_create(Word* creating, const void*, Word* word, int flags, int, const void* code) {
  Task* const creator = task_of(creating);
  word->pointer = nullptr;
  if (creator == nullptr || (flags & kExplicit) == 0) return;
  if (creator->children == nullptr) creator->children = new_awaited_tasks(nullptr);
  Task* const task = creator->children == nullptr ? nullptr : new_task(word);
  if (task == nullptr) return;
  task->is_explicit = true;
  task->team = creator->team;
  task->round = creator->round;
  task->pc = place_of(code, *creator->team);
  task->siblings = share(creator->children);
  task->group = share(creator->group);
  contribute(task->start, name_of(*task), task->pc);
}

void on_dependences(Word* word, const OtherDependence* dependences, int count) {
  Task* const task = task_of(word);
  if (task == nullptr || !task->is_explicit || task->has_started) return;
  for (int i = 0; i < count && task->dependence_count < kMostDependences; ++i) {
    task->dependences[task->dependence_count++] = {dependences[i].variable.pointer,
                                                   dependences[i].type != 1};
  }
}

void finish(Task& task) {
  order_ends(task.dependences, task.dependence_count, task.pc);
  contribute(task.siblings->finished, name_of(task), task.pc);
  if (task.group != nullptr) contribute(task.group->finished, name_of(task), task.pc);
  arrive(*task.team, task.round, task.pc);
}

// The library keeps the data of a task in memory of its own, and soon uses it for another one.
void forget_data_of_current_task() {
  void* data = nullptr;
  std::size_t size = 0;
  if (get_task_memory == nullptr || get_task_memory(&data, &size, 0) == 0) return;
  forget_range(data, size);
  forget_objects(data, size);
}

void start_or_resume(Task& task) {
  if (!task.is_explicit || task.has_started) return resume(task);
  task.has_started = true;
  collect(task.start, name_of(task), task.pc);
  order_starts(task.dependences, task.dependence_count, task.pc);
}

// The thread goes from one task to another. A detached task is finished when that is told.
void on_task_schedule(Word* prior, Status status, Word* next) {
  Task* const left = task_of(prior);
  if (left != nullptr && status != kEarlyFulfil && status != kLateFulfil) {
    suspend(*left, left->pc);
  }
  const bool is_over = status == kComplete || status == kCancel || status == kLateFulfil;
  if (is_over && left != nullptr && left->is_explicit) {
    finish(*left);
    forget_task(prior, left);
    if (status != kLateFulfil) forget_data_of_current_task();
  }
  Task* const entered = status == kEarlyFulfil || status == kLateFulfil ? nullptr : task_of(next);
  if (entered != nullptr) start_or_resume(*entered);
}

template <typename Signature>
bool set(SetCallback set_callback, Callback which, Signature* callback) {
  return set_callback(which, reinterpret_cast<Function>(callback)) > 0;
}

int initialize(LookUp look_up, int, Word*) {
  const auto set_callback = reinterpret_cast<SetCallback>(look_up("ompt_set_callback"));
  if (set_callback == nullptr) return 0;
  get_task_memory = reinterpret_cast<GetTaskMemory>(look_up("ompt_get_task_memory"));
  set(set_callback, kParallelBegin, region_begins);
  set(set_callback, kParallelEnd, region_ends);
  set(set_callback, kImplicitTask, on_implicit_task);
  set(set_callback, kSyncRegion, on_sync_region);
  set(set_callback, kTaskCreate, on_task_create);
  set(set_callback, kDependences, on_dependences);
  set(set_callback, kTaskSchedule, on_task_schedule);
  return 1;
}

void finalize(Word*) {}

Tool tool{initialize, finalize, {}};

}  // namespace

// libomp asks for it when it starts.
OMNIUM_INTERPOSE void* ompt_start_tool(unsigned, const char*) { return &tool; }

}  // namespace omnium::runtime
