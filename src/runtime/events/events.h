// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What happens in the program, in the terms of the analysis. The callbacks of the compiler (abi/)
// and the functions that replace those of the C library (interpose/) turn everything into these
// calls, which inform the checker and the recorder.
//
// Rules for all of src/runtime: no exceptions, no C++ library objects that allocate, no malloc, and
// no locks that the program uses. If a thread is inside the runtime already (the loader, a function
// that the runtime calls), its events are dropped; handlers of signals do not run there. Also
// dropped is the synchronization of uninstrumented libraries, which is recognized by `pc`, the
// address that the call returns to.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>

#include "runtime/state/code.h"
#include "runtime/state/library_code.h"
#include "runtime/state/modules.h"
#include "runtime/state/signals.h"
#include "runtime/state/stack.h"
#include "runtime/state/thread_log.h"
#include "wire/inlined.h"

namespace omnium::runtime {

// Memory -------------------------------------------------------------------------------------

void read_range(const void* address, std::size_t size, Pc pc);
void write_range(const void* address, std::size_t size, Pc pc);
// Reads up to 16 bytes, as an atomic load does.
void read_atomically(const void* address, std::size_t size, Pc pc);
// Forgets what was there and writes up to 16 bytes, with no event of another thread in between.
void write_anew(const void* address, std::size_t size, Pc pc);

// Can accesses to this memory be checked? (Not if its addresses share their shadow with others.)
bool can_check(const void* address, std::size_t size);
// Says that accesses to some memory are ignored.
void warn_unchecked();

// The bytes are a new object from now on.
void forget_range(const void* address, std::size_t size);
// The bytes are freed, unmapped, or on a stack that its thread leaves. That writes whatever other
// threads have touched there. Until the bytes are a new object, who uses them uses what was freed.
void free_range(const void* address, std::size_t size, Pc pc);

// Memory accesses of this thread in between, atomic or not, are ignored; locks are not. Calls nest.
void ignore_begin();
void ignore_end();

// A heap block exists. Reports name objects in it by the place that allocated it.
void block_allocated(const void* address, std::size_t size, Pc pc);
void block_freed(const void* address);

// Locks, named by their addresses ---------------------------------------------------------------

// The outermost acquire and release only: the caller counts those of re-entrant locks. Called after
// the real acquire and before the real release.
void acquire(const void* lock, Pc pc);
void release(const void* lock, Pc pc);

// A token of a semaphore that its taker gives back is a lock, but no critical section: it may never
// be given back.
void acquire_token(const void* token, Pc pc);
void release_token(const void* token, Pc pc);

// A reader-writer lock is a variable: to take or leave it for reading reads the variable, and for
// writing writes it.
void read_acquire(const void* lock, Pc pc);
void read_release(const void* lock, Pc pc);
void write_acquire(const void* lock, Pc pc);
void write_release(const void* lock, Pc pc);

// A thread that waits for a condition gives the lock up (before the real wait) and has it again
// (after the real wait).
void wait_begins(const void* lock, Pc pc);
void wait_ends(const void* lock, Pc pc);

// The thread tried to take the lock, and another thread held it.
void busy(const void* lock, Pc pc);
// The next acquire of the lock was a try, or gave up after some time: it cannot deadlock.
void tried(const void* lock, Pc pc);

// The lock at this address has been destroyed.
void forget_lock(const void* lock);

// "All of these before all of those" -------------------------------------------------------------

// Every contribution to a meeting precedes every later collection from it. Contributions are not
// ordered among themselves, nor are collections. Examples are the arrivals and departures of one
// round of a barrier, and one token of a semaphore. A Meeting must be in static or mapped memory of
// the runtime, because its shadow cell holds the contributions.
struct alignas(8) Meeting {
  std::uint64_t number;  // 0 at first; the recorder numbers it
  LatestSignals latest;  // of its contributions: does a collection wait for one of them?
};
void contribute(Meeting& meeting, const void* object, Pc pc);
void collect(Meeting& meeting, const void* object, Pc pc);
// The thread comes here only after the contributions so far, in every run, but has waited for
// nobody: no conflict. Only recordings contain it: predictions keep the order.
void follow(Meeting& meeting, const void* object, Pc pc);
void reset(Meeting& meeting);  // makes it a new one, without contributions

// A reference to an object is dropped, or the last one, which comes after all others in every run.
// Nobody waits for that, and it is no conflict, so only recordings contain it: predictions keep the
// order. `dropped` is 0 before the first one.
void reference_dropped(std::uint64_t& dropped, const void* count, Pc pc);
void last_reference_dropped(std::uint64_t& dropped, const void* count, Pc pc);
// The same for what leaves the program and comes back, through a pipe, a file or a signal: before
// it is sent, and after it was received. `sent` is 0 before anything was.
void sending(std::uint64_t& sent, Pc pc);
void received(std::uint64_t& sent, Pc pc);
// Does this thread record such things?
bool records_for_predictions();

// In between, the thread destroys a value that nobody refers to any more: to access or free what
// belongs to it is no event. Calls nest.
void destruction_begins();
void destruction_ends();
// Does it do that now, and is what it frees no access?
bool destroys_unreferenced();

// Threads ----------------------------------------------------------------------------------------

struct ThreadState;
class AtomicOperation;

// Gives the thread a log or takes it away.
void set_log(ThreadState& thread, record::ThreadLog* log);

// Called in the parent before it creates a thread. The result goes to thread_started in the child,
// or to thread_not_created if the creation fails. `start` is the function that the thread runs.
ThreadState* thread_forked(Pc start, Pc pc);
void thread_not_created(ThreadState* child);
void thread_started(ThreadState* self);
void thread_finished();                         // the last event of the thread
void thread_joined(ThreadState* child, Pc pc);  // after the join; `child` must not be used again
void thread_detached(ThreadState* child);       // nobody will join it
void thread_has_stack(ThreadState* thread, const void* begin, const void* end);
void thread_named(ThreadState* thread, const char* name);

ThreadState* current_thread();  // null if the runtime does not know the thread

// A thread that the program did not create enters one of its functions: the C library creates
// threads of its own (SIGEV_THREAD). What is set here is called then, with the function's code. The
// thread becomes known if it calls thread_appeared and thread_started.
extern std::atomic<void (*)(Pc code)> on_unknown_thread;
ThreadState* thread_appeared(Pc start);

// A fiber is a logical thread that runs on real ones. After fiber_entered, the events of this real
// thread are those of the fiber.
ThreadState* fiber_created(Pc pc);
void fiber_entered(ThreadState* fiber);
void fiber_destroyed(ThreadState* fiber);

// Blocks -----------------------------------------------------------------------------------------

// A block that should be atomic. `frame` is __builtin_frame_address(0) of a function that is called
// to begin the block; when the stack leaves the frame of the caller (an exception, longjmp), the
// block ends. A block of a coroutine also ends when the coroutine suspends.
void begin_block(const char* label, const void* frame, Pc pc);
void end_block(Stack frame, Pc pc);
// The same for a block that ends with the life of an object, `scope`, which is not on the stack: it
// lies in another object, or it is a variable of a coroutine.
void begin_scope(const char* label, const void* scope, const void* frame, Pc pc);
void end_scope(const void* scope, Pc pc);
// `code` is the address behind an instruction of the function, as a return address is: of the first
// one, or of a call of the hook. If functions do not matter, these need not be called.
extern std::atomic<bool> functions_matter __asm__(OMNIUM_INLINED_FUNCTIONS)
    __attribute__((visibility("default")));
void enter_function(Pc code, const void* frame, Pc call_site);
void leave_function(Pc code, Stack frame, Pc pc);
// The stack has been unwound to this frame (longjmp, a caught exception), from the current one.
void unwind_to(const void* frame);

// The thread leaves what it does for something else, which does not belong to its open blocks, and
// comes back to it: the blocks end, and begin again. (OpenMP: a task is suspended while the thread
// executes another one.) The memory belongs to the caller.
std::size_t memory_for_open_blocks();  // 0: none is open
struct SuspendedBlocks;
SuspendedBlocks* suspend_blocks(void* memory, Pc pc);
void resume_blocks(const SuspendedBlocks* suspended);

// Signals ----------------------------------------------------------------------------------------

// Every handler asks first whether it may run now. If not, the thread is inside the runtime, and
// the signal comes again as soon as it is not.
bool may_handle_signal(int number, const siginfo_t& info, void* context);
// Around a handler that runs although the thread is inside the runtime, because an atomic operation
// that the runtime performs for the program caused the signal. The operation is not in progress
// meanwhile. Null if there is none.
AtomicOperation* pause_operation();
void resume_operation(AtomicOperation* operation);

// The process ------------------------------------------------------------------------------------

void process_starts();  // idempotent; all other functions do nothing before it
void process_ends();    // reports what is pending; idempotent

// A module with instrumented code has been loaded at [begin, end).
void module_loaded(Pc begin, Pc end);
void module_unloaded(Pc begin, Pc end);  // instrumented or not

}  // namespace omnium::runtime
