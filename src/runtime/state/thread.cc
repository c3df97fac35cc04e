// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/thread.h"

#include "runtime/system/mapped.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

constinit Slot slots[kSlots] = {};
constinit ThreadState nobody{};
constinit SignalCount signal_count{};
constinit thread_local ThreadState* tls_thread = &nobody;

namespace {

ThreadState* states;
std::uint32_t states_used;
std::uint32_t next_number;
constinit SpinLock registry_lock;

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

void map_threads() { states = map_array<ThreadState>(kMaxThreads); }

ThreadState& thread_at(std::uint32_t index) { return states[index]; }
std::uint32_t thread_count() { return states_used; }
void lock_registry() { registry_lock.lock(); }
void unlock_registry() { registry_lock.unlock(); }

ThreadState* take_state() {
  ThreadState* const state = find_state();
  if (state != nullptr) state->number = next_number++;
  return state;
}

}  // namespace omnium::runtime
