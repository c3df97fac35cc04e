// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/shadow/ownership.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "runtime/system/options.h"
#include "runtime/system/spin_lock.h"

namespace omnium::runtime {

namespace {

bool available;
constinit SpinLock sharing;

enum class Left { kGone, kOutside, kInside };

// Waits until the owner is certain to see that the chunk is not its own any more. kInside: the
// owner may still be in the runtime, with cells of the chunk locked.
Left wait_for(Owner owner) {
  Left left = Left::kGone;
  for (std::uint32_t i = 0; i < thread_count(); ++i) {
    const ThreadState& thread = thread_at(i);
    if (thread.chunk_owner != owner || thread.life != Life::kRunning) continue;
    order_all_threads();
    const bool inside = (thread.state.load(std::memory_order_acquire) & kInside) != 0;
    left = inside ? Left::kInside : Left::kOutside;
    Backoff backoff;
    while (thread.life == Life::kRunning && thread.chunk_owner == owner &&
           (thread.state.load(std::memory_order_acquire) & kMarking) != 0) {
      backoff.pause();
    }
  }
  return left;
}

bool is_owner(Owner owner) { return owner >= kFirstOwner; }

// How many of the following chunks to take along. A thread that walks over the memory of another
// thread will want the next chunks too, and each waiting costs as much as a thousand accesses.
std::ptrdiff_t companions(const std::atomic<Owner>* chunk) {
  constexpr std::ptrdiff_t kMost = 16;
  const std::ptrdiff_t before = chunk - &owner_of_chunk(0), after = &last_chunk() - chunk;
  std::ptrdiff_t shared = 0;
  while (shared < 4 * kMost && shared < before &&
         chunk[-shared - 1].load(std::memory_order_relaxed) == kShared) {
    ++shared;
  }
  return std::min(shared / 4, after);
}

// Does the chunk lie near the stack pointer? Who leaves a stack frame looks for marks of others
// only in shared chunks.
bool is_near_stack(const std::atomic<Owner>& chunk) {
  constexpr std::ptrdiff_t kNear = (1 << 20) / kChunk;
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::ptrdiff_t distance = &chunk - &owner_at(frame);
  return -kNear < distance && distance < kNear;
}

// Takes the chunk from its owner, normally to share it. When the program is only recorded, a chunk
// may contain marks of others, so it can become the thread's own: after an owner that has ended, or
// that forked the thread. It never returns to an owner that still runs.
void take_from_owner(const ThreadState& thread, std::atomic<Owner>& chunk) {
  const SpinGuard guard(sharing);
  const Owner owner = chunk.load(std::memory_order_acquire);
  if (!is_owner(owner)) return;
  const auto announce = [&](std::atomic<Owner>& one) {
    Owner expected = owner;
    return one.compare_exchange_strong(expected, kBecomesShared, std::memory_order_acq_rel);
  };
  if (!announce(chunk)) return;
  std::atomic<Owner>* end = &chunk + 1;
  for (std::ptrdiff_t more = companions(&chunk); more > 0 && announce(*end); --more) ++end;
  const Left left = wait_for(owner & ~kSuspended);
  const bool forked = thread.parent != nullptr && thread.parent->chunk_owner == owner;
  const bool alone =
      (left == Left::kGone || (left == Left::kOutside && forked)) && !is_near_stack(chunk);
  const Owner next = alone && !options.checks ? thread.chunk_owner : kShared;
  for (std::atomic<Owner>* one = &chunk; one != end; ++one) {
    one->store(next, std::memory_order_release);
  }
}

template <typename Visit>
void for_each_owner(std::uintptr_t address, std::size_t size, Visit visit) {
  if (size == 0) return;
  const std::uintptr_t last = (address + size - 1) / kChunk;
  for (std::uintptr_t chunk = address / kChunk; chunk <= last; ++chunk) {
    visit(owner_at(chunk * kChunk));
  }
}

}  // namespace

bool order_all_threads() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0 ||
         syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0;
}

void prepare_ownership() {
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
  available = order_all_threads();
}

void claim_or_share(ThreadState& thread, std::atomic<Owner>& chunk) {
  for (;;) {
    const Owner owner = chunk.load(std::memory_order_acquire);
    if (owner == kShared || (owner & ~kSuspended) == thread.chunk_owner) return;
    if (owner == kNobody) {
      claim_chunk(chunk, available ? thread.chunk_owner : kShared);
    } else {
      take_from_owner(thread, chunk);
    }
  }
}

void enter_chunks(ThreadState& thread, std::uintptr_t address, std::size_t size) {
  for_each_owner(address, size, [&](std::atomic<Owner>& chunk) { enter_chunk(thread, chunk); });
}

void enter_chunks_in_use(ThreadState& thread, std::uintptr_t address, std::size_t size) {
  for_each_owner(address, size, [&](std::atomic<Owner>& chunk) {
    const bool in_use = options.checks || chunk.load(std::memory_order_acquire) != kNobody;
    if (in_use) enter_chunk(thread, chunk);
  });
}

void suspend_owners() {
  visit_chunks([](std::atomic<Owner>& chunk) {
    Owner owner = chunk.load(std::memory_order_relaxed);
    if (is_owner(owner)) chunk.compare_exchange_strong(owner, owner | kSuspended);
  });
}

void resume_owners() {
  visit_chunks([](std::atomic<Owner>& chunk) {
    Owner owner = chunk.load(std::memory_order_relaxed);
    if ((owner & kSuspended) != 0) chunk.compare_exchange_strong(owner, owner & ~kSuspended);
  });
}

bool may_be_changed(std::atomic<Owner>& chunk) {
  Backoff backoff;
  for (;; backoff.pause()) {
    const Owner owner = chunk.load(std::memory_order_acquire);
    if (owner != kBecomesShared) return !is_owner(owner) || (owner & kSuspended) != 0;
  }
}

void lock_owners() { sharing.lock(); }
void unlock_owners() { sharing.unlock(); }

}  // namespace omnium::runtime
