// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// makecontext gives a fiber a new stack, perhaps one that another fiber has left for good. Its
// arguments vary in number: the function here looks at the first and goes on in the real one, with
// all registers and the stack as they were.
#include <ucontext.h>

#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

OMNIUM_REAL_AS(real_makecontext, void(), "makecontext");

}  // namespace

// Returns where to go on.
extern "C" [[gnu::used, gnu::visibility("hidden")]] void* omnium_before_makecontext(
    const ucontext_t* context) {
  const stack_t& stack = context->uc_stack;
  forget_range(stack.ss_sp, stack.ss_size);
  forget_objects(stack.ss_sp, stack.ss_size);
  void* const found = real_makecontext.address.load(std::memory_order_relaxed);
  return found != nullptr ? found : real_makecontext.require();
}

}  // namespace omnium::runtime

asm(R"(
  .text
  .globl makecontext
  .type makecontext, @function
makecontext:
  .cfi_startproc
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  push %r8
  push %r9
  push %rax
  .cfi_adjust_cfa_offset 56
  call omnium_before_makecontext
  mov %rax, %r11
  pop %rax
  pop %r9
  pop %r8
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  .cfi_adjust_cfa_offset -56
  jmp *%r11
  .cfi_endproc
  .size makecontext, . - makecontext
)");
