// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/thread.h"

#include <cstring>

#include "runtime/system/mapped.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

constinit Slot slots[kSlots] = {};
constinit ThreadState nobody{};
constinit SignalCount signal_count{kFirstSignal};
constinit thread_local ThreadState* tls_thread = &nobody;

namespace {

ThreadState* states;
std::uint32_t states_used;
std::uint32_t next_number;
constinit SpinLock registry_lock;

constexpr std::uint32_t kPastThreads = 4096;
PastThread* past_threads;  // by number, the latest ones

void keep_past(const ThreadState& thread) {
  PastThread& past = past_threads[thread.number % kPastThreads];
  past = {thread.number, thread.start_function, thread.stack_begin, thread.stack_end, {}};
  std::memcpy(past.name, thread.name, sizeof(past.name));
}

ThreadState* find_state() {
  for (std::uint32_t i = 0; i < states_used; ++i) {
    if (states[i].life == Life::kGone && states[i].slot == 0) return &states[i];
  }
  if (states_used == kMaxThreads) return nullptr;
  ThreadState& fresh = states[states_used];
  fresh.index = states_used++;
  return &fresh;
}

}  // namespace

void map_threads() {
  states = map_array<ThreadState>(kMaxThreads);
  past_threads = map_array<PastThread>(kPastThreads);
}

bool is_current(ThreadRef thread) { return states[thread.index].number == thread.number; }

bool find_past_thread(std::uint32_t number, PastThread& found) {
  found = past_threads[number % kPastThreads];
  return found.number == number && number != 0;
}

ThreadState& thread_at(std::uint32_t index) { return states[index]; }
std::uint32_t thread_count() { return states_used; }
void lock_registry() { registry_lock.lock(); }
void unlock_registry() { registry_lock.unlock(); }

ThreadState* take_state() {
  ThreadState* const state = find_state();
  if (state == nullptr) return nullptr;
  if (state->life == Life::kGone) keep_past(*state);
  state->number = next_number++;
  return state;
}

}  // namespace omnium::runtime
