// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Chunks of memory in which only one thread has made marks (map.h). Its accesses there have no
// dependencies, and no other thread changes the cells, so it needs no atomic operations. The owner
// has kMarking in ThreadState::state while it changes cells. A thread that wants to share the chunk
// announces that in the chunk's owner, and waits until the owner has been seen without kMarking.
// membarrier(2) replaces the fence that the owner would otherwise need.
#pragma once

#include <atomic>

#include "runtime/shadow/map.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// Asks the kernel for membarrier(2). If it is not available, all chunks are shared.
void prepare_ownership();

// Every other thread executes a full fence between two of its instructions. False if the kernel
// cannot do that.
bool order_all_threads();

// Makes the chunk the thread's own, or a shared one. A thread must do so before it marks a cell in
// the chunk, except in online/marking.h, which looks at the owner itself.
void claim_or_share(ThreadState& thread, std::atomic<Owner>& chunk);
inline void enter_chunk(ThreadState& thread, std::atomic<Owner>& chunk) {
  const Owner owner = chunk.load(std::memory_order_acquire);
  if (owner != kShared && owner != thread.chunk_owner) claim_or_share(thread, chunk);
}
// Enters all chunks of a range. enter_chunks_in_use skips chunks without marks if the program is
// only recorded: their cells are empty.
void enter_chunks(ThreadState& thread, std::uintptr_t address, std::size_t size);
void enter_chunks_in_use(ThreadState& thread, std::uintptr_t address, std::size_t size);

// While the scrubber cleans cells, owners use atomic operations like all other threads.
void suspend_owners();  // has effect when every thread has been outside of the runtime since
void resume_owners();

// May the scrubber change cells of the chunk? Not if the chunk got its owner after suspend_owners.
bool may_be_changed(std::atomic<Owner>& chunk);

// Around a fork.
void lock_owners();
void unlock_owners();

}  // namespace omnium::runtime
