// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The threads that the program has created and not joined, by their handles.
#pragma once

#include <pthread.h>

#include "runtime/events/events.h"
#include "runtime/interpose/serially.h"

namespace omnium::runtime {

struct ThreadRecord {
  ThreadState* state;
  void* (*start)(void*);
  void* argument;
  pthread_t handle;
  char* stack;  // with the thread's variables at its upper end
  std::size_t stack_size;
  int rounds;     // of destructors of thread-specific data
  bool listed;    // it can be found by its handle
  bool created;   // the creator is done with this record
  bool finished;  // the thread is done with it
  bool released;  // joined or detached
  ThreadRecord* next;
};

// Where the program asked the C++ library for the thread that this thread is creating; 0 if it is
// not.
extern thread_local Pc tls_asked_for_thread __attribute__((tls_model("initial-exec")));

// Called in the creator before and after it creates the thread. Null if there is no room: then the
// thread is created without a record.
ThreadRecord* new_thread_record(void* (*start)(void*), void* argument, Pc pc);
void thread_record_unused(ThreadRecord* record);  // the thread could not be created
void thread_created(ThreadRecord* record, pthread_t handle, bool detached);
void thread_begins(ThreadRecord* record);
void forget_beginning_threads();  // in the child of a fork, where they are not

// The record of a thread that can be joined or detached; null if it is not ours.
ThreadRecord* find_thread(pthread_t handle);
void thread_was_joined(ThreadRecord* record, Pc pc);
void thread_was_detached(ThreadRecord* record);

bool has_finished(const ThreadRecord& record);

// In a serial run the join waits until the thread is about to end.
template <typename Join>
int join_serially(const ThreadRecord* record, Join join) {
  if (!points_matter) [[likely]]
    return join();
  if (!is_serial_here()) {
    Blocked blocked(record == nullptr ? nullptr : record->state);
    if (record == nullptr || has_finished(*record)) blocked.goes_on();
    return join();
  }
  const bool ended = serial_wait_for_end(record == nullptr ? nullptr : record->state);
  return ended ? join() : block_serially(join);
}

}  // namespace omnium::runtime
