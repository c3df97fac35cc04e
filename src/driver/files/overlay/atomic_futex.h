// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stands before libstdc++'s header of the same name, which has what futures wait for. Who waits
// sets a bit in it, as if that were data. To Omnium it is a latch: to become ready is its only
// arrival, and who finds it ready has passed it.
#pragma once
#pragma GCC system_header
#include <bits/c++config.h>
#define __atomic_futex_unsigned __omnium_plain_futex
#include_next <bits/atomic_futex.h>
#undef __atomic_futex_unsigned

#ifdef _GLIBCXX_HAS_GTHREADS
#include <bits/omnium_waits.h>

namespace std {

template <unsigned _Waiter_bit = 0x80000000>
class __atomic_futex_unsigned {
 public:
  OMNIUM_WAITS_INLINE explicit __atomic_futex_unsigned(unsigned __data) : _M_futex(__data) {
    __omnium_latch_created(this);
  }

  OMNIUM_WAITS_INLINE unsigned _M_load(memory_order __order) {
    __omnium_ignore_begin();
    const unsigned __value = _M_futex._M_load(__order);
    _M_told(__value != 0);
    return __value;
  }
  OMNIUM_WAITS_INLINE unsigned _M_load_when_not_equal(unsigned __value, memory_order __order) {
    __omnium_ignore_begin();
    const unsigned __other = _M_futex._M_load_when_not_equal(__value, __order);
    _M_told(true);
    return __other;
  }
  OMNIUM_WAITS_INLINE void _M_load_when_equal(unsigned __value, memory_order __order) {
    __omnium_ignore_begin();
    _M_futex._M_load_when_equal(__value, __order);
    _M_told(true);
  }
  template <typename _Time>
  OMNIUM_WAITS_INLINE bool _M_load_when_equal_for(unsigned __value, memory_order __order,
                                                  const _Time& __time) {
    __omnium_ignore_begin();
    return _M_told(_M_futex._M_load_when_equal_for(__value, __order, __time));
  }
  template <typename _Time>
  OMNIUM_WAITS_INLINE bool _M_load_when_equal_until(unsigned __value, memory_order __order,
                                                    const _Time& __time) {
    __omnium_ignore_begin();
    return _M_told(_M_futex._M_load_when_equal_until(__value, __order, __time));
  }

  OMNIUM_WAITS_INLINE void _M_store_notify_all(unsigned __value, memory_order __order) {
    __omnium_latch_arrival(this);
    const __omnium_waits::__hidden __scope;
    _M_futex._M_store_notify_all(__value, __order);
  }

 private:
  OMNIUM_WAITS_INLINE bool _M_told(bool __passed) {
    __omnium_ignore_end();
    if (__passed) __omnium_latch_passed(this);
    return __passed;
  }

  __omnium_plain_futex<_Waiter_bit> _M_futex;
};

}  // namespace std
#endif
