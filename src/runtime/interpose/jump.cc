// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Ways to leave functions other than by returning. A frame is named by what
// __builtin_frame_address(0) is in a function called from there, as in the callbacks of the
// compiler.
#include <pthread.h>
#include <ucontext.h>

#include "runtime/interpose/real.h"

extern "C" {
[[noreturn]] void longjmp(__jmp_buf_tag* target, int value) noexcept;
[[noreturn]] void _longjmp(__jmp_buf_tag* target, int value) noexcept;
[[noreturn]] void siglongjmp(__jmp_buf_tag* target, int value) noexcept;
[[noreturn]] void __longjmp_chk(__jmp_buf_tag* target, int value) noexcept;
}

namespace omnium::runtime {
namespace {

OMNIUM_REAL(longjmp);
OMNIUM_REAL(_longjmp);
OMNIUM_REAL(siglongjmp);
OMNIUM_REAL(__longjmp_chk);
OMNIUM_REAL(setcontext);
OMNIUM_REAL_AS(real_begin_catch, void*(void*), "__cxa_begin_catch");

// glibc keeps the stack pointer of the caller of setjmp here, rotated and mixed with a secret.
constexpr int kStackPointer = 6;

// A call pushes the return address and the frame pointer.
const void* frame_below(std::uintptr_t stack_pointer) {
  return reinterpret_cast<const void*>(stack_pointer - 2 * sizeof(void*));
}

const void* frame_of(const __jmp_buf_tag* target) {
  auto stack_pointer = static_cast<std::uintptr_t>(target->__jmpbuf[kStackPointer]);
  asm("ror $17, %0\n\txor %%fs:0x30, %0" : "+r"(stack_pointer) : : "cc");
  return frame_below(stack_pointer);
}

}  // namespace

#define OMNIUM_JUMP(name)                                                 \
  OMNIUM_INTERPOSE void name(__jmp_buf_tag* target, int value) noexcept { \
    unwind_to(frame_of(target));                                          \
    real_##name(target, value);                                           \
    __builtin_unreachable();                                              \
  }

OMNIUM_JUMP(longjmp)
OMNIUM_JUMP(_longjmp)
OMNIUM_JUMP(siglongjmp)
OMNIUM_JUMP(__longjmp_chk)

// __builtin_longjmp is no call; the drivers put this one in front of it. __builtin_setjmp keeps a
// frame pointer, an address of code and the stack pointer.
OMNIUM_INTERPOSE void __omnium_before_jump(void* const* target) {
  unwind_to(frame_below(reinterpret_cast<std::uintptr_t>(target[2])));
}

// May be a jump on the same stack, or go to that of another fiber.
OMNIUM_INTERPOSE int setcontext(const ucontext_t* target) noexcept {
  const auto stack_pointer = static_cast<std::uintptr_t>(target->uc_mcontext.gregs[REG_RSP]);
  unwind_to(frame_below(stack_pointer));
  return real_setcontext(target);
}

// The handler runs in the frame that caught the exception.
OMNIUM_INTERPOSE void* __cxa_begin_catch(void* exception) noexcept {
  unwind_to(__builtin_frame_address(0));
  return real_begin_catch(exception);
}

}  // namespace omnium::runtime
