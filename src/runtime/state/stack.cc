// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/stack.h"

#include <signal.h>
#include <sys/auxv.h>
#include <sys/resource.h>

#include "runtime/state/heap.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

namespace {

Stack stack_of(const ThreadState& thread) {
  if (thread.stack_end != 0 || thread.number != 0) return {thread.stack_begin, thread.stack_end};
  // The main thread's stack grows. It ends behind what the kernel put there.
  constexpr std::uintptr_t kMost = std::uintptr_t{1} << 30;
  rlimit limit = {};
  getrlimit(RLIMIT_STACK, &limit);
  const auto top = static_cast<std::uintptr_t>(getauxval(AT_RANDOM));
  return {top - (limit.rlim_cur < kMost ? limit.rlim_cur : kMost), top};
}

}  // namespace

Stack signal_stack() {
  stack_t used = {};
  if (sigaltstack(nullptr, &used) != 0 || (used.ss_flags & SS_DISABLE) != 0) return {0, 0};
  const auto begin = reinterpret_cast<std::uintptr_t>(used.ss_sp);
  return {begin, begin + used.ss_size};
}

Stack stack_around(const ThreadState& thread, const void* address) {
  // The alternate stack may be a variable on the thread's own stack, so it comes first.
  if (const Stack signals = signal_stack(); signals.contains(address)) return signals;
  if (const Stack own = stack_of(thread); own.contains(address)) return own;
  constexpr std::uintptr_t kSurroundings = 256 * 1024;
  const auto asked = reinterpret_cast<std::uintptr_t>(address);
  wire::HeapBlock block;
  if (find_heap_block(asked, block, kSurroundings)) {
    return {block.address, block.address + block.size};
  }
  return {asked - kSurroundings, asked + kSurroundings};
}

}  // namespace omnium::runtime
