// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/thread.h"

#include <cstring>

#include "runtime/channel.h"
#include "runtime/mapped.h"
#include "runtime/online/reach.h"
#include "runtime/online/scrub.h"
#include "runtime/shadow/rows.h"
#include "runtime/spin_lock.h"

namespace omnium::runtime {

constinit Slot slots[kSlots] = {};

namespace {

// Stands for a thread that is not known (yet): it is always inside, so that its events are dropped.
constinit ThreadState nobody{};

ThreadState* states;
std::uint32_t states_used;
std::uint32_t next_number;
constinit SpinLock registry_lock;

// The scrubber waits until every thread has been outside; who waits for the scrubber must be.
class Outside {
 public:
  explicit Outside(ThreadState& thread)
      : thread_(thread), was_inside_((thread.state & kInside) != 0) {
    ++thread_.muted;
    look_or_not(thread_);
    if (&thread_ != &nobody) thread_.set_state(kInside, false);
  }
  ~Outside() {
    thread_.set_state(kInside, was_inside_);
    --thread_.muted;
    look_or_not(thread_);
  }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  ThreadState& thread_;
  bool was_inside_;
};

std::uint32_t find_slot() {
  static std::uint32_t last = 0;
  for (std::uint32_t tries = 1; tries < kSlots; ++tries) {
    last = last % (kSlots - 1) + 1;
    if (slots[last].owner.load(std::memory_order_relaxed) == nullptr) return last;
  }
  return 0;
}

// Under the registry's lock. Nobody else gets the slot before its owner starts it.
std::uint32_t take_slot() {
  std::uint32_t slot = rows.is_large() ? 0 : find_slot();
  if (slot == 0) {
    scrub();
    slot = find_slot();
  }
  if (slot != 0) slots[slot].owner.store(&nobody, std::memory_order_relaxed);
  return slot;
}

void start_slot(ThreadState& thread, std::uint32_t number, std::uint64_t base) {
  const SpinGuard guard(reach_lock);
  Slot& slot = slots[number];
  slot.base = base;
  slot.older = thread.slot;
  slot.retired = false;
  const bool open = thread.transaction.load(std::memory_order_relaxed) != Transaction::kClosed;
  slot.own_from.store(open ? 0 : kNever, std::memory_order_relaxed);
  slot.reached_from.store(kNever, std::memory_order_relaxed);
  slot.owner.store(&thread, std::memory_order_release);
  if (thread.slot != 0) slots[thread.slot].retired = true;
  thread.slot = number;
  thread.base = base;
  set_now(thread, epoch_of(number, 0));
  publish_reached(thread);
}

ThreadState* find_state() {
  for (std::uint32_t i = 0; i < states_used; ++i) {
    if (states[i].life == Life::kGone && states[i].slot == 0) {
      forget_column(states[i]);
      return &states[i];
    }
  }
  if (states_used == kMaxThreads) return nullptr;
  ThreadState& fresh = states[states_used];
  fresh.index = states_used++;
  return &fresh;
}

}  // namespace

constinit thread_local ThreadState* tls_thread = &nobody;

void map_threads() { states = map_array<ThreadState>(kMaxThreads); }

ThreadState& thread_at(std::uint32_t index) { return states[index]; }
std::uint32_t thread_count() { return states_used; }
void lock_registry() { registry_lock.lock(); }
void unlock_registry() { registry_lock.unlock(); }

ThreadState* current_thread() { return tls_thread == &nobody ? nullptr : tls_thread; }

ThreadState* take_thread() {
  const Outside outside(*tls_thread);
  const SpinGuard guard(registry_lock);
  const std::uint32_t slot = take_slot();
  ThreadState* thread = find_state();
  if (slot == 0) return nullptr;
  if (thread == nullptr) {
    slots[slot].owner.store(nullptr, std::memory_order_relaxed);
    return nullptr;
  }
  thread->locked = nullptr;
  thread->muted = thread->ignored = 0;
  thread->state.store(0, std::memory_order_relaxed);
  set_recording(*thread, false);
  thread->transaction.store(Transaction::kClosed, std::memory_order_relaxed);
  thread->depth.store(0, std::memory_order_relaxed);
  thread->marks_used = thread->call_depth = thread->locks_held = 0;
  thread->reached_at = kNotReached;
  thread->number = next_number++;
  thread->chunk_owner = kFirstOwner + thread->number;
  thread->life = Life::kForked;
  thread->detached = false;
  thread->name[0] = '\0';
  set_log(*thread, nullptr);
  thread->counters = &counters().thread[thread->index];
  thread->history.map();
  thread->history.clear();
  std::memset(&thread->readers, 0, sizeof(thread->readers));
  start_slot(*thread, slot, 0);
  counters().threads.fetch_add(1, std::memory_order_relaxed);
  return thread;
}

void give_back_thread(ThreadState& thread) {
  const SpinGuard guard(registry_lock);
  thread.life = Life::kGone;
  for (std::uint32_t slot = thread.slot; slot != 0; slot = slots[slot].older) {
    slots[slot].retired = true;
  }
}

void renew_slot(ThreadState& thread) {
  std::uint32_t slot;
  {
    const Outside outside(thread);
    const SpinGuard guard(registry_lock);
    slot = take_slot();
  }
  if (slot == 0) {
    // Time would run out: rather see nothing of this thread than something wrong.
    if (thread.muted++ == 0) warn("too many live threads: a thread is no longer checked");
    look_or_not(thread);
    return;
  }
  start_slot(thread, slot, thread.time() + 1);
}

}  // namespace omnium::runtime
