// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What glibc's mutexes say about themselves: who owns one, how often.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include "runtime/events/events.h"

namespace omnium::runtime {

// The kernel's number of this thread, as glibc writes it into locks.
pid_t thread_number();
void forget_thread_number();  // in the child of a fork

// The real lock call returned `result`: reports the acquire if it took the mutex for the first
// time.
void mutex_taken(pthread_mutex_t* mutex, int result, Pc pc);

// Reports the release if the next unlock by this thread gives the mutex away. Says whether it did.
bool mutex_leaving(pthread_mutex_t* mutex, Pc pc);

}  // namespace omnium::runtime
