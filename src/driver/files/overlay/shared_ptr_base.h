// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stands before libstdc++'s header of the same name, which counts the references of shared and weak
// pointers. To whom a number of references is five and to whom six is no result of the program, so
// counting is hidden, by instructions that the compiler does not instrument. What matters is told:
// whoever drops the last reference comes after all who dropped theirs. A weak pointer notices
// whether there is a reference at all: it reads the count, and the last drop writes it.
#pragma once
#pragma GCC system_header
#include <bits/c++config.h>

#if defined(__GLIBCXX__) && defined(__x86_64__) && __cplusplus >= 201103L
// All that the header includes, so that the names are changed in its own text only.
#include <typeinfo>
#include <bits/allocated_ptr.h>
#include <bits/allocator.h>
#include <bits/exception_defines.h>
#include <bits/functional_hash.h>
#include <bits/refwrap.h>
#include <bits/stl_function.h>
#include <bits/unique_ptr.h>
#include <ext/aligned_buffer.h>
#include <ext/atomicity.h>
#include <ext/concurrence.h>
#if __cplusplus >= 202002L
#include <bit>
#include <compare>
#include <bits/align.h>
#include <bits/stl_uninitialized.h>
#endif
#include <bits/omnium_waits.h>

extern "C" {
void __omnium_reference_dropping(const void* count);
void __omnium_last_reference_dropped(const void* count);
void __omnium_destruction_begins(void);
void __omnium_destruction_ends(void);
}

namespace __gnu_cxx {

OMNIUM_WAITS_INLINE _Atomic_word __omnium_references(const _Atomic_word* __count) {
  _Atomic_word __value;
  __asm__ volatile("movl %1, %0" : "=r"(__value) : "m"(*__count) : "memory");
  return __value;
}

OMNIUM_WAITS_INLINE void __omnium_add_references(_Atomic_word* __count, int __more) {
  __asm__ volatile("lock addl %1, %0" : "+m"(*__count) : "er"(__more) : "memory", "cc");
}

// Who has the only reference need not announce that it is dropped. (A weak pointer may add one at
// the same time; then this order is lost.)
OMNIUM_WAITS_INLINE _Atomic_word __omnium_drop_reference(_Atomic_word* __count, int __less) {
  if (__omnium_references(__count) != 1) __omnium_reference_dropping(__count);
  __asm__ volatile("lock xaddl %0, %1" : "+r"(__less), "+m"(*__count) : : "memory", "cc");
  if (__less == 1) __omnium_last_reference_dropped(__count);
  return __less;
}

OMNIUM_WAITS_INLINE bool __omnium_exchange_references(_Atomic_word* __count,
                                                      _Atomic_word* __expected, _Atomic_word __new,
                                                      bool, int, int) {
  bool __done;
  __asm__ volatile("lock cmpxchgl %3, %1"
                   : "=@ccz"(__done), "+m"(*__count), "+a"(*__expected)
                   : "r"(__new)
                   : "memory");
  return __done;
}

// Nobody has a reference any more. Only weak pointers can see that. If it is one to the value, the
// value is destroyed while this object exists.
class __omnium_no_references {
 public:
  OMNIUM_WAITS_INLINE __omnium_no_references(_Atomic_word* __count, bool __to_value, bool __seen)
      : __destroys_(__to_value) {
    if (__to_value && __seen) __atomic_store_n(__count, 0, __ATOMIC_RELAXED);
    if (__to_value) __omnium_destruction_begins();
  }
  OMNIUM_WAITS_INLINE ~__omnium_no_references() {
    if (__destroys_) __omnium_destruction_ends();
  }
  __omnium_no_references(const __omnium_no_references&) = delete;
  __omnium_no_references& operator=(const __omnium_no_references&) = delete;

 private:
  const bool __destroys_;
};

}  // namespace __gnu_cxx

#pragma push_macro("_GLIBCXX_SYNCHRONIZATION_HAPPENS_AFTER")
#undef _GLIBCXX_SYNCHRONIZATION_HAPPENS_AFTER
// libstdc++ names the count whose last reference was dropped: &_M_use_count or &_M_weak_count. The
// rest of the scope destroys the value.
#define OMNIUM_JOINED(a, b) a##b
#define OMNIUM_ON_LINE(name, line) OMNIUM_JOINED(name, line)
#define _GLIBCXX_SYNCHRONIZATION_HAPPENS_AFTER(count)                                       \
  const __gnu_cxx::__omnium_no_references OMNIUM_ON_LINE(__omnium_unreferenced_, __LINE__)( \
      count, (#count)[4] == 'u', __gnu_cxx::__omnium_references(&this->_M_weak_count) > 1)
#define __atomic_add_dispatch __omnium_add_references
#define __exchange_and_add_dispatch __omnium_drop_reference
#define __atomic_compare_exchange_n __gnu_cxx::__omnium_exchange_references
#include_next <bits/shared_ptr_base.h>
#undef __atomic_compare_exchange_n
#undef __exchange_and_add_dispatch
#undef __atomic_add_dispatch
#undef OMNIUM_ON_LINE
#undef OMNIUM_JOINED
#pragma pop_macro("_GLIBCXX_SYNCHRONIZATION_HAPPENS_AFTER")
#else
#include_next <bits/shared_ptr_base.h>
#endif
