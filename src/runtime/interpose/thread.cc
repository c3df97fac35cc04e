// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/thread.h"

#include <limits.h>
#include <time.h>

#include <atomic>

#include "runtime/interpose/mutex.h"
#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"
#include "runtime/interpose/serially.h"
#include "runtime/interpose/thread_body.h"
#include "runtime/schedule/point.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL(pthread_create);
OMNIUM_REAL(pthread_join);
OMNIUM_REAL(pthread_tryjoin_np);
OMNIUM_REAL(pthread_timedjoin_np);
OMNIUM_REAL(pthread_clockjoin_np);
OMNIUM_REAL(pthread_detach);
OMNIUM_REAL(pthread_setname_np);

constexpr std::size_t kRecords = 1 << 15;
constexpr std::size_t kChains = 1 << 12;

// Used under the lock of all tables. A handle may be used again once its thread is joined, so the
// newest record is in front.
ThreadRecord records[kRecords];
std::size_t records_used = 0;  // ever
ThreadRecord* free_records = nullptr;
ThreadRecord* chains[kChains];

pthread_key_t end_key;  // its destructor sees the end of a thread

// Threads that have been created and are not known yet. A signal handler may run in one of them.
std::atomic<int> beginning{0};
thread_local bool tls_becomes_known __attribute__((tls_model("initial-exec"))) = false;

ThreadRecord*& chain_of(pthread_t handle) {
  return chains[(handle >> 12 ^ handle >> 24) % kChains];  // handles lie in pages of their own
}

void list(ThreadRecord& record, pthread_t handle) {
  if (record.listed) return;
  record.listed = true;
  record.handle = handle;
  record.next = chain_of(handle);
  chain_of(handle) = &record;
}

void give_back(ThreadRecord& record) {
  record.next = free_records;
  free_records = &record;
}

// A record is free when the creator, the thread, and whoever joins or detaches it are done with it.
void give_back_if_unused(ThreadRecord& record) {
  if (!record.created || !record.finished || !record.released) return;
  ThreadRecord** link = &chain_of(record.handle);
  while (*link != &record) link = &(*link)->next;
  *link = record.next;
  give_back(record);
}

void find_stack(ThreadRecord& record) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  pthread_attr_getstack(&attributes, &low, &record.stack_size);
  record.stack = static_cast<char*>(low);
  pthread_attr_destroy(&attributes);
}

// Destructors of other keys may still run instrumented code, so this one asks for further rounds of
// destructors as long as the C library allows.
void thread_ends(void* pointer) {
  auto& record = *static_cast<ThreadRecord*>(pointer);
  if (++record.rounds < PTHREAD_DESTRUCTOR_ITERATIONS &&
      pthread_setspecific(end_key, &record) == 0) {
    return;
  }
  leave_robust_mutexes(reinterpret_cast<Pc>(record.start));
  const ThreadState* const state = record.state;
  forget_range(record.stack, record.stack_size);
  thread_finished();
  {
    const ObjectsLock lock;
    record.finished = true;
    give_back_if_unused(record);
  }
  serial_ends();
  runner_ends(state);
}

// The record is not in use; null if there are too many.
ThreadRecord* take_record() {
  const ObjectsLock lock;
  ThreadRecord* record = free_records;
  if (record != nullptr) {
    free_records = record->next;
  } else if (records_used < kRecords) {
    record = &records[records_used++];
  } else {
    return nullptr;
  }
  *record = {};
  return record;
}

void thread_is_known(ThreadRecord& record) {
  pthread_setspecific(end_key, &record);
  {
    const ObjectsLock lock;
    list(record, pthread_self());
  }
  thread_has_stack(record.state, record.stack, record.stack + record.stack_size);
  thread_started(record.state);
}

// Another function than run_thread has started the thread. Nobody waits for such a thread. This may
// run in a signal handler, so it does not ask for the stack, which needs memory.
void thread_is_unknown(Pc code) {
  if (beginning.load(std::memory_order_relaxed) != 0) return;  // it may be one of these
  if (tls_becomes_known) return;
  tls_becomes_known = true;
  ThreadState* const state = thread_appeared(code);
  ThreadRecord* const record = state != nullptr ? take_record() : nullptr;
  if (record != nullptr) {
    record->state = state;
    record->created = record->released = true;
    runner_created();
    thread_is_known(*record);
    thread_detached(state);
  } else if (state != nullptr) {
    thread_not_created(state);
  }
  tls_becomes_known = false;
}

[[gnu::constructor(101)]] void create_end_key() {
  pthread_key_create(&end_key, thread_ends);
  on_unknown_thread.store(thread_is_unknown, std::memory_order_relaxed);
}

void* run_thread(void* pointer) {
  auto& record = *static_cast<ThreadRecord*>(pointer);
  thread_begins(&record);
  return record.start(record.argument);
}

}  // namespace

thread_local Pc tls_asked_for_thread = 0;

ThreadRecord* new_thread_record(void* (*start)(void*), void* argument, Pc pc) {
  ThreadRecord* record = take_record();
  if (record == nullptr) return nullptr;
  beginning.fetch_add(1);
  record->state = thread_forked(thread_body(start, argument), pc);
  serial_created(record->state);
  runner_created();
  record->start = start;
  record->argument = argument;
  return record;
}

void thread_record_unused(ThreadRecord* record) {
  beginning.fetch_sub(1);
  serial_not_created(record->state);
  runner_not_created();
  thread_not_created(record->state);
  const ObjectsLock lock;
  give_back(*record);
}

void thread_created(ThreadRecord* record, pthread_t handle, bool detached) {
  if (detached) thread_detached(record->state);
  const ObjectsLock lock;
  list(*record, handle);
  record->created = true;
  record->released |= detached;
  give_back_if_unused(*record);
}

void thread_begins(ThreadRecord* record) {
  find_stack(*record);
  thread_is_known(*record);
  beginning.fetch_sub(1);
  // The C library maps stacks itself, also where memory was that has been freed.
  forget_range(record->stack, record->stack_size);
  before_body(reinterpret_cast<Pc>(record->start));
  serial_begins();
}

void forget_beginning_threads() { beginning.store(0); }

bool has_finished(const ThreadRecord& record) {
  const ObjectsLock lock;
  return record.finished;
}

ThreadRecord* find_thread(pthread_t handle) {
  const ObjectsLock lock;
  ThreadRecord* record = chain_of(handle);
  while (record != nullptr && (record->handle != handle || record->released)) record = record->next;
  return record;
}

void thread_was_joined(ThreadRecord* record, Pc pc) {
  thread_joined(record->state, pc);
  const ObjectsLock lock;
  record->released = true;
  give_back_if_unused(*record);
}

void thread_was_detached(ThreadRecord* record) {
  thread_detached(record->state);
  const ObjectsLock lock;
  record->released = true;
  give_back_if_unused(*record);
}

OMNIUM_INTERPOSE int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                    void* (*start)(void*), void* argument) noexcept {
  const Pc pc = tls_asked_for_thread != 0 ? tls_asked_for_thread : OMNIUM_USER_PC();
  tls_asked_for_thread = 0;
  ThreadRecord* record = new_thread_record(start, argument, pc);
  if (record == nullptr) return real_pthread_create(handle, attributes, start, argument);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detached);
  const int result = real_pthread_create(handle, attributes, run_thread, record);
  if (result != 0) {
    thread_record_unused(record);
  } else {
    thread_created(record, *handle, detached == PTHREAD_CREATE_DETACHED);
  }
  return result;
}

// Once a thread is joined, its handle may belong to another thread, so the record is looked up
// before.
#define OMNIUM_JOIN(handle, real_join)                                               \
  ThreadRecord* record = find_thread(handle);                                        \
  const int result = real_join;                                                      \
  if (result == 0 && record != nullptr) thread_was_joined(record, OMNIUM_USER_PC()); \
  return result

OMNIUM_INTERPOSE int pthread_join(pthread_t handle, void** value) {
  OMNIUM_JOIN(handle, join_serially(record, [&] { return real_pthread_join(handle, value); }));
}

OMNIUM_INTERPOSE int pthread_tryjoin_np(pthread_t handle, void** value) noexcept {
  OMNIUM_JOIN(handle, real_pthread_tryjoin_np(handle, value));
}

OMNIUM_INTERPOSE int pthread_timedjoin_np(pthread_t handle, void** value,
                                          const timespec* deadline) {
  OMNIUM_JOIN(handle,
              call_away([&] { return real_pthread_timedjoin_np(handle, value, deadline); }));
}

OMNIUM_INTERPOSE int pthread_clockjoin_np(pthread_t handle, void** value, clockid_t clock,
                                          const timespec* deadline) {
  OMNIUM_JOIN(handle,
              call_away([&] { return real_pthread_clockjoin_np(handle, value, clock, deadline); }));
}

OMNIUM_INTERPOSE int pthread_detach(pthread_t handle) noexcept {
  ThreadRecord* record = find_thread(handle);
  const int result = real_pthread_detach(handle);
  if (result == 0 && record != nullptr) thread_was_detached(record);
  return result;
}

OMNIUM_INTERPOSE int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  const int result = real_pthread_setname_np(handle, name);
  if (result != 0) return result;
  const ThreadRecord* record = find_thread(handle);
  ThreadState* state = record != nullptr                            ? record->state
                       : pthread_equal(handle, pthread_self()) != 0 ? current_thread()
                                                                    : nullptr;
  if (state != nullptr) thread_named(state, name);
  return result;
}

}  // namespace omnium::runtime
