// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stands before libstdc++'s header of the same name, which has the waits of atomic variables. They
// count the waiting threads in variables that are not the program's: accesses to these are hidden.
// The program's own variable is read by functions of other headers.
#pragma once
#pragma GCC system_header
#include <bits/c++config.h>
#include <bits/functional_hash.h>
#include <bits/gthr.h>
#include <ext/atomicity.h>
#include <ext/numeric_traits.h>
#include <bits/omnium_waits.h>

#define OMNIUM_HIDDEN_(...)                      \
  __extension__({                                \
    const __omnium_waits::__hidden __scope;      \
    __VA_ARGS__;                                 \
  })
#define __atomic_load(...) OMNIUM_HIDDEN_(__atomic_load(__VA_ARGS__))
#define __atomic_fetch_add(...) OMNIUM_HIDDEN_(__atomic_fetch_add(__VA_ARGS__))
#define __atomic_fetch_sub(...) OMNIUM_HIDDEN_(__atomic_fetch_sub(__VA_ARGS__))
#include_next <bits/atomic_wait.h>
#undef __atomic_load
#undef __atomic_fetch_add
#undef __atomic_fetch_sub
#undef OMNIUM_HIDDEN_
