// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stands before the header of the same name when clang compiles for Omnium. libstdc++ opens and
// closes every namespace of its own with this pair of macros; between them, functions get no hooks,
// so that only the program's functions can be blocks. Memory accesses are instrumented as ever.
#pragma GCC system_header
#include_next <bits/c++config.h>

// Before C++20 the functions of std::string come from the library, where nobody sees what they
// read and write. The library has a switch for that, which it uses for its own assertions.
#if _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif

#ifndef OMNIUM_HOOKS_OFF
#define OMNIUM_HOOKS_OFF
#if !_GLIBCXX_INLINE_VERSION
#undef _GLIBCXX_BEGIN_NAMESPACE_VERSION
#undef _GLIBCXX_END_NAMESPACE_VERSION
#define _GLIBCXX_BEGIN_NAMESPACE_VERSION \
  _Pragma("clang attribute push(__attribute__((no_instrument_function)), apply_to = function)")
#define _GLIBCXX_END_NAMESPACE_VERSION _Pragma("clang attribute pop")
#endif
#endif
