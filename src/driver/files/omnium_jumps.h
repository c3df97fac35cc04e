// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The drivers read the macros of this file before each source file. Compilers make instructions of
// __builtin_longjmp, and no call that the runtime could see. The name behind __asm__ makes the
// function the same one in C and C++.
#define __builtin_longjmp(target, value)                                      \
  __extension__({                                                             \
    extern void omnium_before_jump(void*) __asm__("__omnium_before_jump");    \
    omnium_before_jump((void*)(target));                                      \
    __builtin_longjmp(target, value);                                         \
  })
