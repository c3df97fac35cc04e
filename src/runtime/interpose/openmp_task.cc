// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Tasks. What the creator did until the data was copied precedes its task. The task precedes the
// taskwait of its creator, the end of its group, and the barrier that ends its creator's round.
// `depend` orders tasks as a reader-writer lock would; that lock is separate from the data at the
// same address.
//
// libgomp copies the data of a task. We have it copy a block of ours with the program's data at its
// end. The first three words are libgomp's: the range of a taskloop and its reductions.
#include <string.h>

#include <new>

#include "runtime/interpose/allocation.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/openmp.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"

namespace omnium::runtime {
namespace {

using Body = void(void*);
using Copy = void(void* to, void* from);

OMNIUM_REAL_AS(real_task, void(Body*, void*, Copy*, long, long, bool, unsigned, void**, int, void*),
               "GOMP_task");
OMNIUM_REAL_AS(real_taskloop,
               void(Body*, void*, Copy*, long, long, unsigned, unsigned long, int, long, long,
                    long),
               "GOMP_taskloop");
OMNIUM_REAL_AS(real_taskloop_ull,
               void(Body*, void*, Copy*, long, long, unsigned, unsigned long, int, unsigned long,
                    unsigned long, unsigned long),
               "GOMP_taskloop_ull");
OMNIUM_REAL_AS(real_taskwait, void(), "GOMP_taskwait");
OMNIUM_REAL_AS(real_taskwait_depend, void(void**), "GOMP_taskwait_depend");
OMNIUM_REAL_AS(real_taskgroup_start, void(), "GOMP_taskgroup_start");
OMNIUM_REAL_AS(real_taskgroup_end, void(), "GOMP_taskgroup_end");

// Flags of GOMP_task, in gomp-constants.h.
constexpr unsigned kDepends = 1 << 3;
constexpr unsigned kNoGroup = 1 << 11;
constexpr unsigned kDetach = 1 << 13;

constexpr std::size_t kWords = 3;

// A task construct. A taskloop has several tasks, which share it.
struct Construct {
  std::atomic<int> references;
  Body* body;
  Pc pc;
  bool loop;
  std::size_t offset;  // of the program's data in the block
  Team* team;
  std::uint64_t round;  // of the creator; the barrier at its end waits for the tasks
  AwaitedTasks* siblings;
  AwaitedTasks* group;
  Meeting start;
  std::size_t dependence_count;
  Dependence dependences[kMostDependences];
};

// The block that libgomp copies, and what it is copied from.
struct Block {
  void* words[kWords];
  Construct* construct;
};
struct Original : Block {
  void* data;
  std::size_t size;
  Copy* copy;  // null: the bytes
};

// The lock for an address in `depend`. It cannot have that address itself, where the program has
// data.
struct DependenceLock {
  const void* address;
  void clear() { forget_lock(this); }
};
ObjectTable<DependenceLock, 1 << 8> dependence_locks;

const void* lock_of(const Dependence& dependence) {
  const ObjectsLock lock;
  note_object(dependence.address);
  return &dependence_locks.find_or_insert(dependence.address);
}

const void* name_of(const Construct& construct) {
  return reinterpret_cast<const void*>(construct.body);
}

void let_go(Construct* construct) {
  if (construct->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  let_go(construct->siblings);
  let_go(construct->group);
  reset(construct->start);
  free_quietly(construct);
}

// [total, outs, addresses...] or, newer, [0, total, outs, mutexinouts, ins, addresses...].
void list_dependences(Construct& construct, void** depend) {
  auto number = [&](int i) { return reinterpret_cast<std::size_t>(depend[i]); };
  const bool newer = number(0) == 0;
  const std::size_t total = newer ? number(1) : number(0);
  const std::size_t writers = newer ? number(2) + number(3) : number(1);
  void** addresses = depend + (newer ? 5 : 2);
  for (std::size_t i = 0; i < total && i < kMostDependences; ++i) {
    construct.dependences[construct.dependence_count++] = {addresses[i], i < writers};
  }
}

void copy_block(void* to, void* from) {
  const auto& original = *static_cast<Original*>(from);
  Construct& construct = *original.construct;
  *static_cast<Block*>(to) = original;
  construct.references.fetch_add(1, std::memory_order_relaxed);
  char* data = static_cast<char*>(to) + construct.offset;
  if (original.copy != nullptr) {
    original.copy(data, original.data);
  } else {
    memcpy(data, original.data, original.size);
  }
  contribute(construct.start, name_of(construct), construct.pc);
}

void starting(Construct& construct) {
  collect(construct.start, name_of(construct), construct.pc);
  order_starts(construct.dependences, construct.dependence_count, construct.pc);
}

void finishing(Construct& construct) {
  order_ends(construct.dependences, construct.dependence_count, construct.pc);
  contribute(construct.siblings->finished, name_of(construct), construct.pc);
  if (construct.group != nullptr) {
    contribute(construct.group->finished, name_of(construct), construct.pc);
  }
  arrive(*construct.team, construct.round, construct.pc);
}

void run_task(void* pointer) {
  // A thread that waits in the library executes tasks of others.
  const bool waits = !is_serial_here();
  if (waits) came_back();
  auto& block = *static_cast<Block*>(pointer);
  Construct& construct = *block.construct;
  char* data = static_cast<char*>(pointer) + construct.offset;
  if (construct.loop) memcpy(data, block.words, 2 * sizeof(void*));
  Member member{construct.team, construct.round, nullptr, construct.group, tls_member};
  tls_member = &member;
  // The thread may be in the middle of a task that waits for others.
  outside_of_blocks(construct.pc, [&] {
    starting(construct);
    construct.body(data);
    finishing(construct);
  });
  tls_member = member.around;
  let_go(member.children);
  let_go(&construct);
  if (waits) goes_away();
}

Construct* new_construct(Member& member, Body* body, std::size_t alignment, Pc pc) {
  if (member.children == nullptr) member.children = new_awaited_tasks(nullptr);
  void* memory = allocate_quietly(sizeof(Construct));
  if (member.children == nullptr || memory == nullptr) {
    free_quietly(memory);
    return nullptr;
  }
  auto* construct = new (memory) Construct{};
  construct->references = 1;
  construct->body = body;
  construct->pc = pc;
  construct->offset = (sizeof(Block) + alignment - 1) / alignment * alignment;
  construct->team = member.team;
  construct->round = member.round;
  construct->siblings = share(member.children);
  construct->group = share(member.group);
  return construct;
}

AwaitedTasks* enter_group(Member& member) {
  AwaitedTasks* group = new_awaited_tasks(member.group);
  if (group != nullptr) member.group = group;
  return group;
}

void leave_group(Member& member, AwaitedTasks* group, Pc pc) {
  if (group == nullptr) return;
  collect(group->finished, &group->finished, pc);
  member.group = group->around;
  let_go(group);
}

// The data that `real` is called with in place of the program's.
struct Arguments {
  Body* body;
  void* data;
  Copy* copy;
  long size;
  long alignment;
};

template <typename Real>
void create_tasks(const Arguments& given, Construct* construct, Real real) {
  const auto size = static_cast<std::size_t>(given.size);
  Original original{{{}, construct}, given.data, size, given.copy};
  memcpy(original.words, given.data, size < sizeof(original.words) ? size : sizeof(original.words));
  const long own = alignof(Block);
  real(Arguments{run_task, &original, copy_block, static_cast<long>(construct->offset) + given.size,
                 given.alignment > own ? given.alignment : own});
  let_go(construct);
}

template <typename Real>
void create_task_loop(const Arguments& given, unsigned flags, Pc pc, Real real) {
  Member* member = tls_member;
  if (member == nullptr) return real(given);
  AwaitedTasks* group = (flags & kNoGroup) == 0 ? enter_group(*member) : nullptr;
  Construct* construct =
      new_construct(*member, given.body, static_cast<std::size_t>(given.alignment), pc);
  if (construct == nullptr) {
    real(given);
  } else {
    construct->loop = true;
    create_tasks(given, construct, real);
  }
  leave_group(*member, group, pc);
}

}  // namespace

void order_starts(const Dependence* dependences, std::size_t count, Pc pc) {
  for (std::size_t i = 0; i < count; ++i) {
    (dependences[i].writes ? write_acquire : read_acquire)(lock_of(dependences[i]), pc);
  }
}

void order_ends(const Dependence* dependences, std::size_t count, Pc pc) {
  for (std::size_t i = 0; i < count; ++i) {
    (dependences[i].writes ? write_release : read_release)(lock_of(dependences[i]), pc);
  }
}

void forget_dependences(std::uintptr_t begin, std::uintptr_t end) {
  dependence_locks.forget_range(begin, end);
}

OMNIUM_INTERPOSE void GOMP_task(Body* body, void* data, Copy* copy, long size, long alignment,
                                bool deferred, unsigned flags, void** depend, int priority,
                                void* detach) {
  const Arguments given{body, data, copy, size, alignment};
  const auto real = [&](const Arguments& a) {
    real_task(a.body, a.data, a.copy, a.size, a.alignment, deferred, flags, depend, priority,
              detach);
  };
  Construct* construct = nullptr;
  // Of a detached task libgomp writes into the program's data.
  if (tls_member != nullptr && (flags & kDetach) == 0) {
    construct =
        new_construct(*tls_member, body, static_cast<std::size_t>(alignment), OMNIUM_USER_PC());
  }
  if (construct == nullptr) return real(given);
  if ((flags & kDepends) != 0) list_dependences(*construct, depend);
  create_tasks(given, construct, real);
}

OMNIUM_INTERPOSE void GOMP_taskloop(Body* body, void* data, Copy* copy, long size, long alignment,
                                    unsigned flags, unsigned long tasks, int priority, long first,
                                    long end, long step) {
  create_task_loop({body, data, copy, size, alignment}, flags, OMNIUM_USER_PC(),
                   [&](const Arguments& a) {
                     real_taskloop(a.body, a.data, a.copy, a.size, a.alignment, flags, tasks,
                                   priority, first, end, step);
                   });
}

OMNIUM_INTERPOSE void GOMP_taskloop_ull(Body* body, void* data, Copy* copy, long size,
                                        long alignment, unsigned flags, unsigned long tasks,
                                        int priority, unsigned long first, unsigned long end,
                                        unsigned long step) {
  create_task_loop({body, data, copy, size, alignment}, flags, OMNIUM_USER_PC(),
                   [&](const Arguments& a) {
                     real_taskloop_ull(a.body, a.data, a.copy, a.size, a.alignment, flags, tasks,
                                       priority, first, end, step);
                   });
}

OMNIUM_INTERPOSE void GOMP_taskwait() {
  call_away([] { real_taskwait(); });
  Member* member = tls_member;
  if (member == nullptr || member->children == nullptr) return;
  collect(member->children->finished, &member->children->finished, OMNIUM_USER_PC());
}

// Waits only for those children that `depend` names, so it takes part only in their order.
OMNIUM_INTERPOSE void GOMP_taskwait_depend(void** depend) {
  call_away([&] { real_taskwait_depend(depend); });
  if (tls_member == nullptr) return;
  const Pc pc = OMNIUM_USER_PC();
  Construct order{};
  list_dependences(order, depend);
  order_starts(order.dependences, order.dependence_count, pc);
  order_ends(order.dependences, order.dependence_count, pc);
}

OMNIUM_INTERPOSE void GOMP_taskgroup_start() {
  if (tls_member != nullptr) enter_group(*tls_member);
  real_taskgroup_start();
}

OMNIUM_INTERPOSE void GOMP_taskgroup_end() {
  call_away([] { real_taskgroup_end(); });
  if (tls_member != nullptr) leave_group(*tls_member, tls_member->group, OMNIUM_USER_PC());
}

}  // namespace omnium::runtime
