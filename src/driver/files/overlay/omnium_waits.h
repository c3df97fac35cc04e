// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the headers that stand before <latch>, <barrier> and <semaphore> call. libstdc++ builds
// these types from atomic variables in inline functions; the runtime could not tell an arrival from
// a counter. So each type is a class of the same name and layout around libstdc++'s own class,
// which keeps another name: it tells the runtime what happens, and hides how.
#pragma once
#pragma GCC system_header

extern "C" {
void __omnium_ignore_begin(void);
void __omnium_ignore_end(void);
void __omnium_latch_created(const void* latch);
void __omnium_latch_arrival(const void* latch);
void __omnium_latch_passed(const void* latch);
void __omnium_semaphore_created(const void* semaphore, long tokens);
void __omnium_semaphore_posting(const void* semaphore);
void __omnium_semaphore_posted(const void* semaphore, long tokens);
void __omnium_semaphore_passed(const void* semaphore);
void __omnium_barrier_created(const void* barrier, long expected);
unsigned long __omnium_barrier_arrival(const void* barrier, long arrivals, bool drops);
void __omnium_barrier_completed(const void* barrier, unsigned long round);
void __omnium_barrier_passed(const void* barrier, unsigned long round);
}

// The caller's line is the place of the event, and there is no function to take for a block.
#define OMNIUM_WAITS_INLINE __attribute__((always_inline, no_instrument_function)) inline

namespace __omnium_waits {

// Memory accesses of this thread are not events while it exists.
struct __hidden {
  OMNIUM_WAITS_INLINE __hidden() { __omnium_ignore_begin(); }
  OMNIUM_WAITS_INLINE ~__hidden() { __omnium_ignore_end(); }
  __hidden(const __hidden&) = delete;
  __hidden& operator=(const __hidden&) = delete;
};

}  // namespace __omnium_waits
