// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stands before libstdc++'s header of the same name, which has std::atomic<std::shared_ptr>: a
// pointer to the value, and one to the reference count with a bit that is a lock. To Omnium the
// bit is a lock, and the pointer to the value is an atomic variable: a compare_exchange that fails
// is a failed attempt, as it is for other atomics. The layout, and what the bit means, are
// libstdc++'s.
#pragma once
#pragma GCC system_header
#include_next <bits/shared_ptr_atomic.h>

#if __cplusplus > 201703L && _GLIBCXX_RELEASE == 12
#include <bits/atomic_base.h>
#include <bits/omnium_waits.h>

extern "C" {
void __omnium_acquired(const void* lock);
void __omnium_releasing(const void* lock);
int sched_yield(void) noexcept(true);
}

namespace std {

// More constrained than libstdc++'s, and so instead of it.
template <typename _Tp>
  requires(sizeof(_Tp) == 2 * sizeof(void*))
class _Sp_atomic<_Tp> {
  using value_type = _Tp;
  friend class atomic<_Tp>;
  using __pointer = typename _Tp::element_type*;
  using __count = decltype(decltype(_Tp::_M_refcount)::_M_pi);
  static constexpr __UINTPTR_TYPE__ __lock_bit = 1;

  __pointer _M_ptr = nullptr;
  mutable __atomic_base<__UINTPTR_TYPE__> _M_val{0};

  constexpr _Sp_atomic() noexcept = default;
  OMNIUM_WAITS_INLINE explicit _Sp_atomic(value_type __value) noexcept
      : _M_ptr(__value._M_ptr),
        _M_val(reinterpret_cast<__UINTPTR_TYPE__>(__value._M_refcount._M_pi)) {
    __value._M_refcount._M_pi = nullptr;
  }
  OMNIUM_WAITS_INLINE ~_Sp_atomic() {
    __omnium_ignore_begin();
    const auto __owned = reinterpret_cast<__count>(_M_val.load(memory_order_relaxed));
    __omnium_ignore_end();
    if (__owned == nullptr) return;
    if constexpr (__is_shared_ptr<_Tp>)
      __owned->_M_release();
    else
      __owned->_M_weak_release();
  }
  _Sp_atomic(const _Sp_atomic&) = delete;
  void operator=(const _Sp_atomic&) = delete;

  OMNIUM_WAITS_INLINE __count __lock(memory_order __order) const noexcept {
    __omnium_ignore_begin();
    auto __seen = _M_val.load(memory_order_relaxed) & ~__lock_bit;
    while (!_M_val.compare_exchange_strong(__seen, __seen | __lock_bit, __order,
                                           memory_order_relaxed)) {
      __seen &= ~__lock_bit;
      sched_yield();
    }
    __omnium_ignore_end();
    __omnium_acquired(&_M_val);
    return reinterpret_cast<__count>(__seen);
  }
  OMNIUM_WAITS_INLINE __UINTPTR_TYPE__ __unlock(memory_order __order) const noexcept {
    __omnium_releasing(&_M_val);
    const __omnium_waits::__hidden __scope;
    return _M_val.fetch_sub(__lock_bit, __order) & ~__lock_bit;
  }
  OMNIUM_WAITS_INLINE void __swap_unlock(value_type& __other, memory_order __order) noexcept {
    __omnium_releasing(&_M_val);
    const __omnium_waits::__hidden __scope;
    const auto __old =
        _M_val.exchange(reinterpret_cast<__UINTPTR_TYPE__>(__other._M_refcount._M_pi),
                        __order == memory_order_seq_cst ? __order : memory_order_release);
    __other._M_refcount._M_pi = reinterpret_cast<__count>(__old & ~__lock_bit);
  }

  // Of a pointer that the locked count belongs to.
  OMNIUM_WAITS_INLINE static void __take(value_type& __out, __pointer __value,
                                         __count __counted) noexcept {
    __out._M_ptr = __value;
    if (__counted != nullptr) {
      if constexpr (__is_shared_ptr<_Tp>)
        __counted->_M_add_ref_copy();
      else
        __counted->_M_weak_add_ref();
    }
    __out._M_refcount._M_pi = __counted;
  }
  OMNIUM_WAITS_INLINE __pointer __load_pointer() const noexcept {
    return __atomic_load_n(&_M_ptr, __ATOMIC_RELAXED);
  }
  // A failed attempt, which has seen this pointer: what it compares with is another one.
  OMNIUM_WAITS_INLINE __pointer __attempt_pointer() const noexcept {
    __omnium_ignore_begin();
    auto __seen = reinterpret_cast<__pointer>(~reinterpret_cast<__UINTPTR_TYPE__>(_M_ptr));
    __omnium_ignore_end();
    __atomic_compare_exchange_n(const_cast<__pointer*>(&_M_ptr), &__seen, __seen, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return __seen;
  }

  OMNIUM_WAITS_INLINE value_type load(memory_order __order) const noexcept {
    value_type __out;
    const auto __counted =
        __lock(__order == memory_order_seq_cst ? __order : memory_order_acquire);
    __take(__out, __load_pointer(), __counted);
    __unlock(memory_order_relaxed);
    return __out;
  }

  // Both a store and an exchange: what was there before is read like other data under a lock.
  OMNIUM_WAITS_INLINE void swap(value_type& __other, memory_order __order) noexcept {
    __lock(memory_order_acquire);
    const auto __old = _M_ptr;
    __atomic_store_n(&_M_ptr, __other._M_ptr, __ATOMIC_RELAXED);
    __other._M_ptr = __old;
    __swap_unlock(__other, __order);
  }

  OMNIUM_WAITS_INLINE bool compare_exchange_strong(value_type& __expected, value_type __desired,
                                                   memory_order __order,
                                                   memory_order __failure) noexcept {
    const auto __counted = __lock(memory_order_acquire);
    const bool __same_count = __counted == __expected._M_refcount._M_pi;
    __pointer __seen = __expected._M_ptr;
    if (__same_count &&
        __atomic_compare_exchange_n(&_M_ptr, &__seen, __desired._M_ptr, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      __swap_unlock(__desired, __order);
      return true;
    }
    if (!__same_count) __seen = __attempt_pointer();
    const value_type __former = std::move(__expected);
    __take(__expected, __seen, __counted);
    __unlock(__failure);
    return false;
  }

#if __cpp_lib_atomic_wait
  OMNIUM_WAITS_INLINE void wait(value_type __old, memory_order __order) const noexcept {
    const auto __counted = __lock(memory_order_acquire);
    const bool __same =
        __load_pointer() == __old._M_ptr && __counted == __old._M_refcount._M_pi;
    const auto __unlocked = __unlock(memory_order_relaxed);
    if (!__same) return;
    __omnium_ignore_begin();
    _M_val.wait(__unlocked, __order);
    __omnium_ignore_end();
    // The look before was in vain.
    __lock(memory_order_acquire);
    __attempt_pointer();
    __unlock(memory_order_relaxed);
  }
  OMNIUM_WAITS_INLINE void notify_one() noexcept { _M_val.notify_one(); }
  OMNIUM_WAITS_INLINE void notify_all() noexcept { _M_val.notify_all(); }
#endif
};

}  // namespace std
#endif
