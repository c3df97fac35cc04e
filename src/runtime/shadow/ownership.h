// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Chunks of memory that only one thread has marks in (shadow/map.h). All of these marks are its
// own: its accesses have no dependencies there, and nobody else changes the cells, so that it needs
// no atomic operations. It changes them while ThreadState::state says kMarking; who wants to make
// the chunk a shared one announces that in the chunk's owner and waits until the thread has been
// seen elsewhere. membarrier(2) stands in for the fence that the owner does without.
#pragma once

#include <atomic>

#include "runtime/shadow/map.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// Asks the kernel for what the waiting needs. Without it no chunk is ever owned.
void prepare_ownership();

// Before the thread marks a cell in the chunk in any other way than by online/marking.h: makes the
// chunk its own or a shared one.
void claim_or_share(ThreadState& thread, std::atomic<Owner>& chunk);
inline void enter_chunk(ThreadState& thread, std::atomic<Owner>& chunk) {
  const Owner owner = chunk.load(std::memory_order_acquire);
  if (owner != kShared && owner != thread.chunk_owner) claim_or_share(thread, chunk);
}
// The same for all of a range; with checks off cells of chunks that are nobody's are empty.
void enter_chunks(ThreadState& thread, std::uintptr_t address, std::size_t size);
void enter_chunks_in_use(ThreadState& thread, std::uintptr_t address, std::size_t size);

// While cells are cleaned, owners use atomic operations like everybody else.
void suspend_owners();  // holds when every thread has been outside of the runtime since
void resume_owners();

// May cells of the chunk be changed by others? Not those of an owner that came while owners were
// suspended.
bool may_be_changed(std::atomic<Owner>& chunk);

// Around a fork.
void lock_owners();
void unlock_owners();

}  // namespace omnium::runtime
