// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Reads from glibc's mutexes which thread owns one, and how often it has locked it.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include "runtime/events/events.h"

namespace omnium::runtime {

// The kernel's number of this thread, as glibc writes it into locks.
pid_t thread_number();
void forget_thread_number();  // in the child of a fork

// After a real lock call, which returned `result`: does this thread hold the mutex now, and did it
// not hold it before?
bool mutex_taken_anew(pthread_mutex_t* mutex, int result);
// Does the next unlock by this thread release the mutex?
bool mutex_to_be_left(pthread_mutex_t* mutex);

// Called after the real lock call, which returned `result`. Reports the acquire if the mutex was
// not held by this thread before, and a try that failed.
void mutex_taken(pthread_mutex_t* mutex, int result, Pc pc);
void mutex_tried(pthread_mutex_t* mutex, int result, Pc pc);  // or gave up after some time

// Reports the release if the next unlock by this thread releases the mutex.
void mutex_leaving(pthread_mutex_t* mutex, Pc pc);

// This thread ends. Reports the release of the robust mutexes that it still holds: the next thread
// gets them.
void leave_robust_mutexes(Pc pc);

// For a wait on a condition in a serial run: no events. `blocks`: without the token.
int unlock_for_wait(pthread_mutex_t* mutex);
int lock_after_wait(pthread_mutex_t* mutex, bool blocks);

}  // namespace omnium::runtime
