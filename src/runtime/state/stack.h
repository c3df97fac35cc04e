// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread may run on several stacks: its own, the alternate one of its signal handlers, and those
// of fibers. Addresses on different stacks do not tell which frame called which.
#pragma once

#include <cstdint>

namespace omnium::runtime {

struct ThreadState;

// A stack or a part of one.
struct Stack {
  std::uintptr_t begin, end;

  bool contains(const void* address) const {
    const auto asked = reinterpret_cast<std::uintptr_t>(address);
    return begin <= asked && asked < end;
  }
};

// The stack frame of the function that called another one, whose __builtin_frame_address(0) is
// given: from where the stack pointer was at the call, to behind the return address. (The compiler
// drivers ask for frame pointers.)
inline Stack caller_frame(const void* frame) {
  constexpr std::uintptr_t kLinkage = 2 * sizeof(void*);  // the frame pointer, the return address
  return {reinterpret_cast<std::uintptr_t>(frame) + kLinkage,
          *static_cast<const std::uintptr_t*>(frame) + kLinkage};
}

// Where the frames of functions that the frame's own function calls may begin. The stack pointer
// need not be where it was at another call: arguments are pushed.
inline Stack with_arguments(Stack frame) {
  constexpr std::uintptr_t kArguments = 4096;
  return {frame.begin - kArguments, frame.end};
}

// The stack of the thread's signal handlers; empty if they have none of their own.
Stack signal_stack();
// The stack that the address lies on. Where a fiber has its stack is known if that is a heap block;
// otherwise the surroundings of the address count.
Stack stack_around(const ThreadState& thread, const void* address);

}  // namespace omnium::runtime
