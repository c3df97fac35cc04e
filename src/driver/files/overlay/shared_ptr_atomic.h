// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stands before libstdc++'s header of the same name, which has std::atomic<std::shared_ptr>. Its
// pointer to the reference count has a bit that is a lock. To Omnium it is a lock, and the other
// pointer, which it protects, is the data.
#pragma once
#pragma GCC system_header
#include <bits/c++config.h>

#if __cplusplus > 201703L && _GLIBCXX_RELEASE == 12
#include <bits/atomic_base.h>
#include <bits/omnium_waits.h>

extern "C" {
void __omnium_acquired(const void* lock);
void __omnium_releasing(const void* lock);
}

namespace std {

template <typename _Value>
class __omnium_lock_bit {
 public:
  constexpr __omnium_lock_bit(_Value __value) noexcept : _M_value(__value) {}

  OMNIUM_WAITS_INLINE _Value load(memory_order __order) const noexcept {
    const __omnium_waits::__hidden __scope;
    return _M_value.load(__order);
  }
  OMNIUM_WAITS_INLINE bool compare_exchange_strong(_Value& __old, _Value __new,
                                                   memory_order __success,
                                                   memory_order __failure) noexcept {
    __omnium_ignore_begin();
    const bool __taken = _M_value.compare_exchange_strong(__old, __new, __success, __failure);
    __omnium_ignore_end();
    if (__taken) __omnium_acquired(this);
    return __taken;
  }
  OMNIUM_WAITS_INLINE _Value fetch_sub(_Value __value, memory_order __order) noexcept {
    __omnium_releasing(this);
    const __omnium_waits::__hidden __scope;
    return _M_value.fetch_sub(__value, __order);
  }
  OMNIUM_WAITS_INLINE _Value exchange(_Value __value, memory_order __order) noexcept {
    __omnium_releasing(this);
    const __omnium_waits::__hidden __scope;
    return _M_value.exchange(__value, __order);
  }
#if __cpp_lib_atomic_wait
  OMNIUM_WAITS_INLINE void wait(_Value __old, memory_order __order) const noexcept {
    const __omnium_waits::__hidden __scope;
    _M_value.wait(__old, __order);
  }
  OMNIUM_WAITS_INLINE void notify_one() noexcept { _M_value.notify_one(); }
  OMNIUM_WAITS_INLINE void notify_all() noexcept { _M_value.notify_all(); }
#endif

 private:
  __atomic_base<_Value> _M_value;
};

}  // namespace std

#define __atomic_base __omnium_lock_bit
#include_next <bits/shared_ptr_atomic.h>
#undef __atomic_base
#else
#include_next <bits/shared_ptr_atomic.h>
#endif
