// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What happens in the program, in the words of the analysis. The callbacks of the compiler (abi/)
// and the functions put before the C library's (interpose/) turn everything into these calls; the
// online checker and the recorder live behind them.
//
// Rules for all of src/runtime: no exceptions, no C++ library objects that allocate, no malloc, no
// lock of the program. An event of a thread that is inside the runtime already (a signal handler,
// the loader) is dropped, and so is synchronization that a library without instrumentation does for
// itself: each function decides that from `pc`, the address that the call returns to.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/state/code.h"
#include "runtime/state/library_code.h"
#include "runtime/state/modules.h"

namespace omnium::runtime {

// Memory -------------------------------------------------------------------------------------

void read_range(const void* address, std::size_t size, Pc pc);
void write_range(const void* address, std::size_t size, Pc pc);
// A write of up to 16 bytes that forgets what was there, at once: nobody gets in between.
void write_anew(const void* address, std::size_t size, Pc pc);

// The bytes are another object from now on: freed, unmapped, a stack that its thread left.
void forget_range(const void* address, std::size_t size);

// The thread's memory accesses in between, atomic or not, are no events; locks still are. Nests.
void ignore_begin();
void ignore_end();

// A heap block exists: reports name objects in it by the place that allocated it.
void block_allocated(const void* address, std::size_t size, Pc pc);
void block_freed(const void* address);

// Locks, named by their addresses ---------------------------------------------------------------

// Outermost acquire and release only: the caller counts re-entrant ones. After the real acquire,
// before the real release.
void acquire(const void* lock, Pc pc);
void release(const void* lock, Pc pc);

// A reader-writer lock is a variable: taking or leaving it for reading reads, for writing writes.
void read_acquire(const void* lock, Pc pc);
void read_release(const void* lock, Pc pc);
void write_acquire(const void* lock, Pc pc);
void write_release(const void* lock, Pc pc);

// The lock at this address is gone (destroyed).
void forget_lock(const void* lock);

// "All of these before all of those" -------------------------------------------------------------

// A place where events meet: every contribution precedes every collection after it, and that is
// all (contributions are not ordered among themselves, nor are collections). The arrivals and
// departures of one round of a barrier, one token of a semaphore. Lies in static or mapped memory
// of the runtime; its shadow cell holds the contributions.
struct alignas(8) Meeting {
  std::uint64_t number;  // 0 when new; the recorder's name for it
};
void contribute(Meeting& meeting, const void* object, Pc pc);
void collect(Meeting& meeting, const void* object, Pc pc);
void reset(Meeting& meeting);  // empty again, a new one

// Threads ----------------------------------------------------------------------------------------

struct ThreadState;

// In the parent before a thread is created; give the result to thread_started in the child, or to
// thread_not_created if there is none. `start` is the function that the thread runs.
ThreadState* thread_forked(Pc start, Pc pc);
void thread_not_created(ThreadState* child);
void thread_started(ThreadState* self);
void thread_finished();                         // the last thing that the thread does
void thread_joined(ThreadState* child, Pc pc);  // after the join; `child` is gone then
void thread_detached(ThreadState* child);       // nobody will join it
void thread_has_stack(ThreadState* thread, const void* begin, const void* end);
void thread_named(ThreadState* thread, const char* name);

ThreadState* current_thread();  // null before the thread is known

// A logical thread that runs on real ones (fibers, coroutines): from now on this real thread's
// events are the fiber's.
ThreadState* fiber_created(Pc pc);
void fiber_entered(ThreadState* fiber);
void fiber_destroyed(ThreadState* fiber);

// Blocks -----------------------------------------------------------------------------------------

// A block that ought to be atomic. `label`: a string that lives for ever. `frame`: the address of
// the frame that opens it; a frame that the stack has left (an exception, longjmp) closes its
// blocks.
void begin_block(const char* label, const void* frame, Pc pc);
void end_block(Pc pc);
// `code`: the function, or any of its instructions.
void enter_function(Pc code, const void* frame, Pc call_site);
void leave_function(Pc code, Pc call_site);
// The stack is cut back to this frame (longjmp, a caught exception, the end of a thread).
void unwind_to(const void* frame);

// The process ------------------------------------------------------------------------------------

void process_starts();  // idempotent; every other function may be called before it and does nothing
void process_ends();    // reports what is left; idempotent
void before_fork();     // around fork(2): the child goes on consistently
void after_fork_in_parent();
void after_fork_in_child();

// A module with instrumented code, [begin, end).
void module_loaded(Pc begin, Pc end);
void module_unloaded(Pc begin, Pc end);  // any module

}  // namespace omnium::runtime
