// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/slots.h"

#include <cstring>

#include "runtime/online/local_time.h"
#include "runtime/online/reach.h"
#include "runtime/online/scrub.h"
#include "runtime/shadow/map.h"
#include "runtime/shadow/rows.h"
#include "runtime/system/channel.h"
#include "runtime/system/mapped.h"
#include "runtime/system/options.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

class RegistryGuard {
 public:
  RegistryGuard() { lock_registry(); }
  ~RegistryGuard() { unlock_registry(); }
  RegistryGuard(const RegistryGuard&) = delete;
  RegistryGuard& operator=(const RegistryGuard&) = delete;
};

// The scrubber waits until every thread has been outside of the runtime. So a thread that waits for
// the scrubber must count as outside; its events are dropped meanwhile.
class Outside {
 public:
  explicit Outside(ThreadState& thread)
      : thread_(thread), was_inside_((thread.state & kInside) != 0) {
    close_gate();  // the thread is in the middle of something
    ++thread_.muted;
    update_blind(thread_);
    if (&thread_ != &nobody) thread_.set_state(kInside, false);
  }
  ~Outside() {
    thread_.set_state(kInside, was_inside_);
    --thread_.muted;
    update_blind(thread_);
    open_gate();
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

// Called under the registry's lock. The slot is reserved until its owner starts it.
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

}  // namespace

ThreadState* take_thread() {
  const Outside outside(*tls_thread);
  const RegistryGuard guard;
  const std::uint32_t slot = take_slot();
  if (slot == 0) return nullptr;
  ThreadState* thread = take_state();
  if (thread == nullptr) {
    // The states of threads that have ended may still have slots that no cell mentions any more.
    scrub();
    thread = take_state();
  }
  if (thread == nullptr) {
    slots[slot].owner.store(nullptr, std::memory_order_relaxed);
    return nullptr;
  }
  forget_column(*thread);
  if (thread->marks == nullptr) thread->marks = map_array<Mark>(kMaxMarks);
  thread->locked = nullptr;
  thread->atomic = nullptr;
  thread->muted = thread->ignored = thread->destroys = 0;
  thread->state.store(0, std::memory_order_relaxed);
  thread->log = nullptr;
  set_idle(*thread, true);
  thread->transaction.store(Transaction::kClosed, std::memory_order_relaxed);
  thread->depth.store(0, std::memory_order_relaxed);
  thread->marks_used = thread->own_depth = thread->body_calls = thread->locks_held = 0;
  thread->held.clear();
  thread->reached_at = kNotReached;
  thread->arrived_at = 0;
  thread->attempts.clear();
  thread->recent_txns.clear();
  thread->end_signal = 0;
  thread->sampling.start(options.seed, thread->number);
  thread->chunk_owner = kFirstOwner + thread->number;
  thread->life = Life::kForked;
  thread->detached = false;
  thread->name[0] = '\0';
  thread->counters = &counters().thread[thread->index];
  thread->history.map();
  thread->history.clear();
  std::memset(&thread->readers, 0, sizeof(thread->readers));
  start_slot(*thread, slot, 0);
  counters().threads.fetch_add(1, std::memory_order_relaxed);
  return thread;
}

void give_back_thread(ThreadState& thread) {
  const RegistryGuard guard;
  thread.life = Life::kGone;
  for (std::uint32_t slot = thread.slot; slot != 0; slot = slots[slot].older) {
    slots[slot].retired = true;
  }
}

void renew_slot(ThreadState& thread) {
  std::uint32_t slot;
  {
    const Outside outside(thread);
    const RegistryGuard guard;
    slot = take_slot();
  }
  if (slot == 0) {
    // Its times would be ambiguous. To miss a violation is better than to report a false one.
    if (thread.muted++ == 0) warn("too many live threads: a thread is no longer checked");
    count_forgotten();
    update_blind(thread);
    return;
  }
  start_slot(thread, slot, thread.time() + 1);
}

}  // namespace omnium::runtime
