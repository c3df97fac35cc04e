// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stands before the header of the same name when gcc compiles for Omnium. libstdc++ copies and
// compares with builtins; gcc expands those of constant size after it has instrumented the
// function, so that nobody would see what they access. Calls of the runtime do not get lost.
#pragma GCC system_header
#include_next <bits/c++config.h>

// Before C++20 the functions of std::string come from the library, where nobody sees what they
// read and write. The library has a switch for that, which it uses for its own assertions.
#if _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif

#ifndef OMNIUM_COPIES_ARE_CALLS
#define OMNIUM_COPIES_ARE_CALLS
extern "C" {
void* __wrap_memcpy(void*, const void*, std::size_t) _GLIBCXX_USE_NOEXCEPT;
void* __wrap_memmove(void*, const void*, std::size_t) _GLIBCXX_USE_NOEXCEPT;
void* __wrap_memset(void*, int, std::size_t) _GLIBCXX_USE_NOEXCEPT;
int __wrap_memcmp(const void*, const void*, std::size_t) _GLIBCXX_USE_NOEXCEPT;
}
#define OMNIUM_CALL_(function, ...)                                      \
  (__builtin_is_constant_evaluated() ? __builtin_##function(__VA_ARGS__) \
                                     : __wrap_##function(__VA_ARGS__))
#define __builtin_memcpy(...) OMNIUM_CALL_(memcpy, __VA_ARGS__)
#define __builtin_memmove(...) OMNIUM_CALL_(memmove, __VA_ARGS__)
#define __builtin_memset(...) OMNIUM_CALL_(memset, __VA_ARGS__)
#define __builtin_memcmp(...) OMNIUM_CALL_(memcmp, __VA_ARGS__)
#endif
