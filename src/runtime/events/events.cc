// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/events.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/events/access.h"
#include "runtime/events/blocks.h"
#include "runtime/events/crash.h"
#include "runtime/events/functions.h"
#include "runtime/events/specification.h"
#include "runtime/online/local_time.h"
#include "runtime/online/report.h"
#include "runtime/online/slots.h"
#include "runtime/record/record.h"
#include "runtime/schedule/point.h"
#include "runtime/schedule/serial.h"
#include "runtime/schedule/steer.h"
#include "runtime/shadow/ownership.h"
#include "runtime/shadow/reader_lists.h"
#include "runtime/shadow/rows.h"
#include "runtime/state/heap.h"
#include "runtime/state/labels.h"
#include "runtime/state/stack.h"
#include "runtime/state/waiting_signals.h"
#include "runtime/system/channel.h"
#include "runtime/system/environment.h"
#include "runtime/system/fork_server.h"
#include "runtime/system/options.h"
#include "runtime/system/print.h"

namespace omnium::runtime {

namespace {

using wire::EntryKind;

std::atomic<bool> started;

// A process with rights that its user lacks is not checked: it would write files and start a
// program where the user says so. No thread has a state then, so all events are dropped.
bool is_off() {
  static const bool off = has_foreign_rights();
  return off;
}

void record_sync(ThreadState& thread, wire::RawKind kind, const void* object, Pc pc) {
  enter_chunk(thread, owner_of(*cell_at(object)));
  record::sync(*thread.log, kind, object, pc);
}

// Records the event (kNone: it is recorded elsewhere) and adds it to the history. Inlined, so that
// the kinds are constants: every lock operation of the program comes here.
[[gnu::always_inline]] inline void note(ThreadState& thread, EntryKind kind, wire::RawKind raw,
                                        const void* object, Pc pc) {
  if (thread.log != nullptr && raw != wire::RawKind::kNone) record_sync(thread, raw, object, pc);
  if ((wire::is_acquire(kind) || wire::is_release(kind)) && points_matter) [[unlikely]]
    note_lock(object, wire::is_acquire(kind));
  const auto address = reinterpret_cast<std::uint64_t>(object);
  if (wire::is_acquire(kind)) thread.held.add(address, kind, pc);
  if (wire::is_release(kind)) thread.held.remove(address);
  if (thread.destroys != 0) [[unlikely]]
    update_destroys(thread);
  if (!options.checks) return;
  if (wire::is_release(kind) && !thread.depends) {  // no stamp: the next acquire has a later one
    thread.history.add(kind, address, 0, pc);
  } else {
    add_placed(thread, kind, address, 0, pc);
  }
  send_findings_if_any(thread);
}

// Synchronization is an event if the program itself asks for it, and not a library for its own use.
class Synchronization {
 public:
  [[gnu::always_inline]] explicit Synchronization(Pc pc) : thread_(tls_thread) {
    if (!enter_runtime(*thread_)) {
      thread_ = nullptr;
    } else if (thread_->muted != 0 || !is_program_code(pc)) {
      leave_runtime(*thread_);
      thread_ = nullptr;
    } else {
      start_event(*thread_);
      update_idle(*thread_);
      ++thread_->counters->locks;
    }
  }
  [[gnu::always_inline]] ~Synchronization() {
    if (thread_ != nullptr) leave_runtime(*thread_);
  }
  Synchronization(const Synchronization&) = delete;
  Synchronization& operator=(const Synchronization&) = delete;
  [[gnu::always_inline]] explicit operator bool() const { return thread_ != nullptr; }
  [[gnu::always_inline]] ThreadState& thread() const { return *thread_; }

 private:
  ThreadState* thread_;  // null if it is no event
};

// If critical sections are blocks, the first lock opens a block and the last one closes it.
void section_opens(ThreadState& thread, Pc pc) {
  if (!options.sections_are_blocks || thread.locks_held++ != 0) return;
  // A lock that is never released is no critical section: nobody can know before it is released. If
  // functions are blocks, too, findings are held back for their sake only.
  const bool at_risk = options.block_mode == Blocks::kLocks;
  push_block(
      thread,
      {.kind = Mark::Kind::kSection, .atomic = true, .at_risk = at_risk, .function = pc, .pc = pc});
}

void section_closes(ThreadState& thread, Pc pc) {
  if (!options.sections_are_blocks || thread.locks_held == 0 || --thread.locks_held != 0) return;
  if (options.block_mode == Blocks::kLocks) release_findings(thread);
  pop_section(thread, pc);
}

// Do conflicts on the lock count, and are there cells for them?
bool is_checked(const void* lock) { return options.checks_locks && has_cells(lock); }

[[gnu::always_inline]] inline void use_object(const void* object, bool write, EntryKind kind,
                                              wire::RawKind raw, ThreadState& thread, Pc pc) {
  if (is_checked(object)) read_or_write_object(thread, object, write, pc);
  note(thread, kind, raw, object, pc);
}

void take_lock(ThreadState& thread, wire::RawKind kind, const void* lock, Pc pc) {
  note_call(thread, pc);
  if (is_checked(lock)) acquire_object(thread, lock, pc);
  note(thread, EntryKind::kAcquire, kind, lock, pc);
}

void give_lock_back(ThreadState& thread, wire::RawKind kind, const void* lock, Pc pc) {
  if (is_checked(lock)) release_object(thread, lock);
  note(thread, EntryKind::kRelease, kind, lock, pc);
}

void run_first(ThreadState& thread) {
  thread.life = Life::kRunning;
  thread.set_state(kHasPoints, points_matter);
  if (points_matter) thread.quick = kNothingIsQuick;
  tls_thread = &thread;
}

}  // namespace

// Memory -----------------------------------------------------------------------------------------

void ignore_begin() {
  ++tls_thread->ignored;
  update_blind(*tls_thread);
}

void ignore_end() {
  if (tls_thread->ignored == 0) return;
  --tls_thread->ignored;
  update_blind(*tls_thread);
}

void block_allocated(const void* address, std::size_t size, Pc pc) {
  if (address == nullptr) return;
  const ThreadState* thread = current_thread();
  add_heap_block(address, size, pc, thread == nullptr ? 0 : thread->number);
  if (thread == nullptr || thread->log == nullptr) return;
  const Inside inside;
  if (inside) record::allocated(*inside.thread().log, address, size, pc);
}

void block_freed(const void* address) { remove_heap_block(address); }

// Locks ------------------------------------------------------------------------------------------

void acquire(const void* lock, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  section_opens(event.thread(), pc);
  take_lock(event.thread(), wire::RawKind::kAcquire, lock, pc);
}

void release(const void* lock, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  give_lock_back(event.thread(), wire::RawKind::kRelease, lock, pc);
  section_closes(event.thread(), pc);
}

void acquire_token(const void* token, Pc pc) {
  const Synchronization event(pc);
  if (event) take_lock(event.thread(), wire::RawKind::kAcquire, token, pc);
}

void release_token(const void* token, Pc pc) {
  const Synchronization event(pc);
  if (event) give_lock_back(event.thread(), wire::RawKind::kRelease, token, pc);
}

void read_acquire(const void* lock, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  section_opens(event.thread(), pc);
  use_object(lock, false, EntryKind::kReadAcquire, wire::RawKind::kSharedAcquire, event.thread(),
             pc);
}

void read_release(const void* lock, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  use_object(lock, false, EntryKind::kReadRelease, wire::RawKind::kSharedRelease, event.thread(),
             pc);
  section_closes(event.thread(), pc);
}

void write_acquire(const void* lock, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  section_opens(event.thread(), pc);
  use_object(lock, true, EntryKind::kWriteAcquire, wire::RawKind::kAcquire, event.thread(), pc);
}

void write_release(const void* lock, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  use_object(lock, true, EntryKind::kWriteRelease, wire::RawKind::kRelease, event.thread(), pc);
  section_closes(event.thread(), pc);
}

void wait_begins(const void* lock, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  give_lock_back(event.thread(), wire::RawKind::kWait, lock, pc);
  section_closes(event.thread(), pc);
}

void wait_ends(const void* lock, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  event.thread().sampling.signals_around = signals_so_far();
  begin_part(event.thread(), pc);
  section_opens(event.thread(), pc);
  take_lock(event.thread(), wire::RawKind::kResume, lock, pc);
  ThreadState& thread = event.thread();
  if (thread.log != nullptr) thread.signals_before = record::place_of(*thread.log);
}

namespace {

// Checks do not depend on tries: only recordings contain them.
void record_try(wire::RawKind outcome, const void* lock, Pc pc) {
  const Synchronization event(pc);
  if (!event || event.thread().log == nullptr) return;
  record_sync(event.thread(), outcome, lock, pc);
}

}  // namespace

void busy(const void* lock, Pc pc) { record_try(wire::RawKind::kBusy, lock, pc); }
void tried(const void* lock, Pc pc) { record_try(wire::RawKind::kTry, lock, pc); }

void forget_lock(const void* lock) {
  if (tls_thread->log != nullptr) {
    const Inside inside;
    if (inside) record_sync(inside.thread(), wire::RawKind::kForgetLock, lock, 0);
  }
  if (is_checked(lock)) clear_cells(reinterpret_cast<std::uintptr_t>(lock), 4);
}

// Meetings ---------------------------------------------------------------------------------------

namespace {

void number_contribution(Meeting& meeting, const ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  const bool recorded = thread.log != nullptr;
  meeting.latest.add(thread.number, recorded ? record::place_of(*thread.log) : next_signal());
}

// Has another thread contributed since the first event of the thread's part? Otherwise the
// collection waits for nothing.
bool is_awaited(const Meeting& meeting, const ThreadState& thread) {
  const SpinGuard guard(reach_lock);
  return meeting.latest.by_others(thread.number) > thread.signals_before;
}

}  // namespace

void contribute(Meeting& meeting, const void* object, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  ThreadState& thread = event.thread();
  if (thread.log != nullptr) {
    record::contribute(*thread.log, {meeting.number, wire::RawMeeting::kAwaited}, object, pc);
  }
  if (options.splits) number_contribution(meeting, thread);
  if (options.checks) contribute_to_object(thread, &meeting);
  note(thread, EntryKind::kContribute, wire::RawKind::kNone, object, pc);
}

void collect(Meeting& meeting, const void* object, Pc pc) {
  const Synchronization event(pc);
  if (!event) return;
  ThreadState& thread = event.thread();
  if (thread.log != nullptr) {
    record::collect(*thread.log, {meeting.number, wire::RawMeeting::kAwaited}, object, pc);
  }
  if (options.splits && is_awaited(meeting, thread)) begin_part(thread, pc);
  if (options.checks) collect_from_object(thread, &meeting, object, pc);
  note(thread, EntryKind::kCollect, wire::RawKind::kNone, object, pc);
}

void follow(Meeting& meeting, const void* object, Pc pc) {
  const Synchronization event(pc);
  if (!event || event.thread().log == nullptr) return;
  record::follow(*event.thread().log, {meeting.number, wire::RawMeeting::kFollowed}, object, pc);
}

void reset(Meeting& meeting) {
  if (options.checks) clear_cells(reinterpret_cast<std::uintptr_t>(&meeting), 4);
  meeting.number = 0;
  meeting.latest.clear();
}

bool records_for_predictions() { return tls_thread->log != nullptr && !record::thins_out; }

void reference_dropped(std::uint64_t& dropped, const void* count, Pc pc) {
  const Inside inside;
  if (!inside || inside.thread().log == nullptr) return;
  record::contribute(*inside.thread().log, {dropped, wire::RawMeeting::kReferences}, count, pc);
}

void last_reference_dropped(std::uint64_t& dropped, const void* count, Pc pc) {
  const Inside inside;
  if (!inside || inside.thread().log == nullptr) return;
  record::collect(*inside.thread().log, {dropped, wire::RawMeeting::kReferences}, count, pc);
}

void sending(std::uint64_t& sent, Pc pc) {
  const Inside inside;
  if (!inside || inside.thread().log == nullptr) return;
  record::contribute(*inside.thread().log, {sent, wire::RawMeeting::kFollowed}, nullptr, pc);
}

void received(std::uint64_t& sent, Pc pc) {
  const Inside inside;
  if (!inside || inside.thread().log == nullptr) return;
  record::follow(*inside.thread().log, {sent, wire::RawMeeting::kFollowed}, nullptr, pc);
}

void destruction_begins() {
  ThreadState* const thread = current_thread();
  if (thread == nullptr) return;
  if (thread->destroys++ == 0) thread->held_before = thread->held.count();
  update_destroys(*thread);
}

void destruction_ends() {
  ThreadState* const thread = current_thread();
  if (thread == nullptr || thread->destroys == 0) return;
  --thread->destroys;
  update_destroys(*thread);
}

bool destroys_unreferenced() {
  const ThreadState* const thread = current_thread();
  return thread != nullptr && frees_no_access(*thread);
}

// Threads ----------------------------------------------------------------------------------------

void set_log(ThreadState& thread, record::ThreadLog* log) {
  thread.log = log;
  thread.set_state(kHasLog, log != nullptr);
  thread.quick = log == nullptr && !points_matter ? quick_cells(thread) : kNothingIsQuick;
  if (log != nullptr && !options.checks && !points_matter) record::show_quick(*log, thread.quick);
}

namespace {

// The number of a thread as the object of a history entry.
const void* as_object(const ThreadState& thread) {
  return reinterpret_cast<const void*>(std::uintptr_t{thread.number});
}

// The child of a fork is recorded from the moment that it creates a thread: before that, its only
// thread depends on no other.
void record_from_here(ThreadState& thread) {
  set_log(thread, record::start_in_child(thread.number, thread.start_function));
  if (thread.log == nullptr) return;
  for (std::uint32_t i = 0; i < thread.marks_used && i < kMaxMarks; ++i) {
    const Mark& mark = thread.marks[i];
    if (!mark.atomic) continue;
    if (mark.name != nullptr) record::begin(*thread.log, mark.name, mark.pc);
    if (mark.name == nullptr) record::begin_function(*thread.log, mark.function, mark.pc);
  }
}

ThreadState* fork_thread(Pc start, Pc pc) {
  ThreadState* child = take_thread();
  if (child == nullptr) {
    warn("too many threads: a thread is not checked");
    count_forgotten();
    return nullptr;
  }
  child->start_function = start;
  child->stack_begin = child->stack_end = 0;
  child->parent = nullptr;
  const Inside inside;
  if (!inside) return child;
  ThreadState& parent = inside.thread();
  note(parent, EntryKind::kFork, wire::RawKind::kNone, as_object(*child), pc);
  child->parent = &parent;
  child->fork_time = parent.time();
  child->fork_pc = pc;
  parent.set_state(kDirty, true);
  if (parent.log == nullptr) record_from_here(parent);
  if (parent.log != nullptr) {
    set_log(*child, &record::new_thread(child->number, parent.log, start, pc));
  }
  return child;
}

}  // namespace

ThreadState* current_thread() { return tls_thread == &nobody ? nullptr : tls_thread; }

ThreadState* thread_forked(Pc start, Pc pc) {
  if (!started) return nullptr;
  return fork_thread(start, pc);
}

std::atomic<void (*)(Pc code)> on_unknown_thread;

ThreadState* thread_appeared(Pc start) {
  ThreadState* thread = started ? take_thread() : nullptr;
  if (thread == nullptr) return nullptr;
  thread->start_function = start;
  thread->stack_begin = thread->stack_end = 0;
  thread->parent = nullptr;
  if (record::is_on()) set_log(*thread, &record::new_thread(thread->number, nullptr, start, 0));
  return thread;
}

void thread_not_created(ThreadState* child) {
  if (child != nullptr) give_back_thread(*child);
}

void thread_started(ThreadState* self) {
  if (self == nullptr) return;
  run_first(*self);
  const Inside inside;
  if (self->log != nullptr) record::thread_began(*self->log);
  if (self->parent == nullptr || !options.checks) return;
  const Dependency fork{self->parent, self->fork_time, wire::StepKind::kFork};
  receive(*self, &fork, 1, {0, self->fork_pc, 0});
}

void thread_finished() {
  ThreadState* self = current_thread();
  if (self == nullptr) return;
  {
    const Inside inside;
    settle_held_findings(*self);
    if (inside) pop_all(*self);
    self->set_state(kDirty, true);
    const bool recorded = self->log != nullptr;
    if (recorded) self->end = record::thread_ended(*self->log);
    self->end_signal =
        recorded ? record::place_of(self->end.clock, self->end.number) : next_signal();
    set_log(*self, nullptr);
  }
  lock_registry();
  const bool detached = self->detached;
  self->life = Life::kFinished;
  unlock_registry();
  self->set_state(kInside, true);  // what follows is done by the C library
  if (detached) give_back_thread(*self);
}

namespace {

// Did the child end after the first event of the part? One whose end was not seen may have.
bool is_awaited(const ThreadState& child, const ThreadState& thread) {
  return child.end_signal == 0 || child.end_signal > thread.signals_before;
}

}  // namespace

void thread_joined(ThreadState* child, Pc pc) {
  if (child == nullptr) return;
  {
    const Inside inside;
    if (inside && inside.thread().log != nullptr) {
      record::thread_joined(*inside.thread().log, child->end, pc);
    }
    if (inside && options.checks) {
      ThreadState& self = inside.thread();
      start_event(self);
      if (is_awaited(*child, self)) begin_part(self, pc);
      const Dependency join{child, child->time(), wire::StepKind::kJoin};
      receive(self, &join, 1, {child->number, pc, 0});
      note(self, EntryKind::kJoin, wire::RawKind::kNone, as_object(*child), pc);
    }
  }
  give_back_thread(*child);
}

void thread_detached(ThreadState* child) {
  if (child == nullptr) return;
  lock_registry();
  const bool finished = child->life == Life::kFinished;  // otherwise thread_finished gives it back
  child->detached = true;
  unlock_registry();
  if (finished) give_back_thread(*child);
}

void thread_has_stack(ThreadState* thread, const void* begin, const void* end) {
  if (thread == nullptr) return;
  thread->stack_begin = reinterpret_cast<std::uintptr_t>(begin);
  thread->stack_end = reinterpret_cast<std::uintptr_t>(end);
  if (thread->log != nullptr) {
    record::thread_has_stack(*thread->log, thread->stack_begin, thread->stack_end);
  }
}

void thread_named(ThreadState* thread, const char* name) {
  if (thread == nullptr) return;
  std::strncpy(thread->name, name, sizeof(thread->name) - 1);
  if (thread->log != nullptr) record::thread_named(*thread->log, thread->name);
}

ThreadState* fiber_created(Pc pc) {
  if (!started) return nullptr;
  ThreadState* fiber = fork_thread(0, pc);
  if (fiber != nullptr) thread_named(fiber, "fiber");
  return fiber;
}

void fiber_entered(ThreadState* fiber) {
  if (fiber == nullptr) return;
  if (fiber->life == Life::kForked) {
    thread_started(fiber);
  } else {
    tls_thread = fiber;
  }
}

void fiber_destroyed(ThreadState* fiber) {
  if (fiber == nullptr || fiber == tls_thread) return;
  settle_held_findings(*fiber);
  fiber->life = Life::kFinished;
  give_back_thread(*fiber);
}

// Blocks -----------------------------------------------------------------------------------------

std::atomic<bool> functions_matter;

namespace {

[[gnu::noinline]] void pop_coroutine_annotation(ThreadState& thread, Stack frame, Pc pc) {
  if (has_coroutine_block(thread, with_arguments(frame))) pop_annotation(thread, pc);
}

}  // namespace

void begin_block(const char* label, const void* frame, Pc pc) {
  const Inside inside;
  if (!inside) return;
  Mark mark{.kind = Mark::Kind::kAnnotation,
            .atomic = is_atomic_name(label),
            .name = lasting_label(label),
            .frame = frame,
            .pc = pc};
  if (is_coroutine_code(pc)) {
    mark.kind = Mark::Kind::kInCoroutine;
    functions_matter.store(true, std::memory_order_relaxed);
  }
  push_block(inside.thread(), mark);
}

void end_block(Stack frame, Pc pc) {
  const Inside inside;
  if (!inside) return;
  // The block that the coroutine ends may have ended when it suspended, perhaps in another thread.
  if (is_coroutine_code(pc)) return pop_coroutine_annotation(inside.thread(), frame, pc);
  pop_annotation(inside.thread(), pc);
}

namespace {

// The frame of a coroutine begins with two pointers to functions that resume and destroy it.
bool is_in_coroutine_frame(const void* scope) {
  constexpr std::uintptr_t kMost = 256 * 1024;
  wire::HeapBlock block;
  if (!find_heap_block(reinterpret_cast<std::uintptr_t>(scope), block, kMost)) return false;
  if (block.size < 2 * sizeof(Pc)) return false;
  const auto* functions = reinterpret_cast<const Pc*>(block.address);
  return is_instrumented_code(functions[0]) && is_instrumented_code(functions[1]);
}

}  // namespace

void begin_scope(const char* label, const void* scope, const void* frame, Pc pc) {
  const Inside inside;
  if (!inside) return;
  Mark mark{.kind = Mark::Kind::kInObject,
            .atomic = is_atomic_name(label),
            .name = lasting_label(label),
            .scope = scope,
            .frame = frame,
            .pc = pc};
  if (is_coroutine_code(pc) || is_in_coroutine_frame(scope)) {
    mark.kind = Mark::Kind::kInCoroutine;
    functions_matter.store(true, std::memory_order_relaxed);
    // If the coroutine is inlined into its caller, nobody sees it suspend.
    mark.atomic &= is_coroutine_code(pc);
  }
  push_block(inside.thread(), mark);
}

void end_scope(const void* scope, Pc pc) {
  const Inside inside;
  if (inside) pop_scope(inside.thread(), scope, pc);
}

struct SuspendedBlocks {
  KeptMarks count;
  Mark marks[];
};

std::size_t memory_for_open_blocks() {
  const std::size_t marks = std::min(tls_thread->marks_used, kMaxMarks);
  return marks == 0 ? 0 : sizeof(SuspendedBlocks) + marks * sizeof(Mark);
}

SuspendedBlocks* suspend_blocks(void* memory, Pc pc) {
  const Inside inside;
  if (!inside || memory == nullptr) return nullptr;
  auto* suspended = static_cast<SuspendedBlocks*>(memory);
  suspended->count = suspend_all(inside.thread(), suspended->marks, pc);
  return suspended;
}

void resume_blocks(const SuspendedBlocks* suspended) {
  const Inside inside;
  if (!inside || suspended == nullptr) return;
  resume_all(inside.thread(), suspended->marks, suspended->count);
}

// Signals ----------------------------------------------------------------------------------------

bool may_handle_signal(int number, const siginfo_t& info, void* context) {
  if (!is_inside_runtime() || is_fault(number, info)) return true;
  let_wait(number, info, context);
  return false;
}

AtomicOperation* pause_operation() {
  AtomicOperation* const operation = tls_thread->atomic;
  if (operation != nullptr) operation->pause();
  return operation;
}

void resume_operation(AtomicOperation* operation) {
  if (operation != nullptr) operation->resume();
}

// The process ------------------------------------------------------------------------------------

namespace {

wire::RawKeeps what_to_keep() {
  if (std::strcmp(options.record_for, "check") == 0) return wire::RawKeeps::kForCheck;
  const bool everything = std::strcmp(options.record_for, "everything") == 0;
  return everything ? wire::RawKeeps::kEverything : wire::RawKeeps::kShared;
}

void stay_off() {
  static std::atomic<bool> told;
  if (told.exchange(true)) return;
  options.checks = options.checks_locks = options.splits = false;
  map_shadow();  // the inlined fast path looks there
  print_line("warning: this program has rights that its user lacks, so it is not checked");
}

}  // namespace

void process_starts() {
  if (is_off()) return stay_off();
  if (started.exchange(true)) return;
  read_options();
  map_shadow();
  prepare_ownership();
  rows.map();
  reader_lists.map();
  map_threads();
  map_heap_table();
  open_channel();
  prepare_points();
  functions_matter = options.block_mode == Blocks::kFunctions;
  if (options.spec[0] != '\0') read_specification(options.spec);
  find_acting_libraries();
  find_executable();
  if (options.checks || options.flag(options.hunted)) handle_crashes();
  if (options.flag(options.hunted)) end_with_parent();
  ThreadState* main = take_thread();
  main->start_function = 0;
  const bool declared = options.block_mode != Blocks::kFunctions || options.spec[0] != '\0';
  if (!declared) record::take_undeclared();
  if (options.flag(options.record_live)) record::expect_reader();
  if (options.record[0] != '\0' &&
      record::start(options.record, options.checks ? 0 : kShadowBase, what_to_keep())) {
    set_log(*main, &record::new_thread(0, nullptr, 0, 0));
    record::modules_changed(*main->log);
  }
  run_first(*main);
}

void process_ends() {
  if (!started) return;
  static std::atomic<bool> ended;
  if (ended.exchange(true)) return;
  serial_process_ends();
  send_all_findings();
  if (options.refines) send_refuted_functions();
  std::uint64_t found = counters().more;
  for (const auto& seen : counters().seen) found += seen;
  record::finish();
  const bool by_status = close_channel();
  if (by_status && found > 0) {
    std::fflush(nullptr);
    end_process(options.exit_status());
  }
}

void module_loaded(Pc begin, Pc end) {
  if (is_off()) return;
  const bool late = current_thread() != nullptr;
  add_instrumented_module(begin, end);
  find_library_code(begin);
  serial_modules_changed();
  steering_modules_changed();
  if (late && specification_names_functions()) ask_for_functions();
  const Inside inside;
  if (late && inside && inside.thread().log != nullptr) {
    record::modules_changed(*inside.thread().log);
  }
}

void module_unloaded(Pc begin, Pc end) { forget_library_code(begin, end); }

}  // namespace omnium::runtime
