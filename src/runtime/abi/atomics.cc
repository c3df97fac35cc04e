// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Atomic operations. The instrumentation lets the runtime perform them. It does so while their
// cells are locked, so that their order is exact, and always with the strongest memory order.
#include <atomic>
#include <cstdint>

#include "runtime/abi/exported.h"
#include "runtime/events/access.h"
#include "runtime/state/library_code.h"

using omnium::runtime::Atomic;
using omnium::runtime::AtomicOperation;
using omnium::runtime::Pc;

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = unsigned __int128;

constexpr int kOrder = __ATOMIC_SEQ_CST;

// The operations of the processor. For sixteen bytes there is only compare-and-exchange; the
// compilers' other builtins would call a library.
template <typename T>
struct Hardware {
  static T load(const volatile T* a) { return __atomic_load_n(a, kOrder); }
  static void store(volatile T* a, T v) { __atomic_store_n(a, v, kOrder); }
  static bool compare_exchange(volatile T* a, T* expected, T desired) {
    return __atomic_compare_exchange_n(a, expected, desired, false, kOrder, kOrder);
  }
  static T exchange(volatile T* a, T v) { return __atomic_exchange_n(a, v, kOrder); }
  static T fetch_add(volatile T* a, T v) { return __atomic_fetch_add(a, v, kOrder); }
  static T fetch_sub(volatile T* a, T v) { return __atomic_fetch_sub(a, v, kOrder); }
  static T fetch_and(volatile T* a, T v) { return __atomic_fetch_and(a, v, kOrder); }
  static T fetch_or(volatile T* a, T v) { return __atomic_fetch_or(a, v, kOrder); }
  static T fetch_xor(volatile T* a, T v) { return __atomic_fetch_xor(a, v, kOrder); }
  static T fetch_nand(volatile T* a, T v) { return __atomic_fetch_nand(a, v, kOrder); }
};

template <>
struct Hardware<u128> {
  static u128 load(const volatile u128* a) {
    return __sync_val_compare_and_swap(const_cast<volatile u128*>(a), u128{0}, u128{0});
  }
  static bool compare_exchange(volatile u128* a, u128* expected, u128 desired) {
    const u128 old = __sync_val_compare_and_swap(a, *expected, desired);
    const bool done = old == *expected;
    *expected = old;
    return done;
  }
  template <typename Change>
  static u128 change(volatile u128* a, Change changed) {
    u128 old = load(a);
    while (!compare_exchange(a, &old, changed(old))) {
    }
    return old;
  }
  static void store(volatile u128* a, u128 v) { exchange(a, v); }
  static u128 exchange(volatile u128* a, u128 v) {
    return change(a, [v](u128) { return v; });
  }
  static u128 fetch_add(volatile u128* a, u128 v) {
    return change(a, [v](u128 old) { return old + v; });
  }
  static u128 fetch_sub(volatile u128* a, u128 v) {
    return change(a, [v](u128 old) { return old - v; });
  }
  static u128 fetch_and(volatile u128* a, u128 v) {
    return change(a, [v](u128 old) { return old & v; });
  }
  static u128 fetch_or(volatile u128* a, u128 v) {
    return change(a, [v](u128 old) { return old | v; });
  }
  static u128 fetch_xor(volatile u128* a, u128 v) {
    return change(a, [v](u128 old) { return old ^ v; });
  }
  static u128 fetch_nand(volatile u128* a, u128 v) {
    return change(a, [v](u128 old) { return ~(old & v); });
  }
};

template <typename T>
T load(const volatile T* address, Pc pc) {
  omnium::runtime::before_access(address, sizeof(T), false, pc, true);
  void* const place = const_cast<T*>(address);
  const omnium::runtime::ThreadState& thread = *omnium::runtime::tls_thread;
  const omnium::runtime::AtomicCell* cell = omnium::runtime::cell_at(place);
  // A load may be repeated, so it is tried without the lock first. It counts if the cell needed no
  // work before and after it.
  if (omnium::runtime::is_plain_load(thread, cell->load(std::memory_order_acquire))) {
    const T value = Hardware<T>::load(address);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (omnium::runtime::is_plain_load(thread, cell->load(std::memory_order_acquire))) {
      return value;
    }
  }
  AtomicOperation operation(place, sizeof(T), pc);
  const T value = Hardware<T>::load(address);
  operation.finish(Atomic::kLoad);
  return value;
}

template <typename T>
void store(volatile T* address, T value, Pc pc) {
  omnium::runtime::before_access(address, sizeof(T), true, pc, true);
  AtomicOperation operation(const_cast<T*>(address), sizeof(T), pc);
  Hardware<T>::store(address, value);
  operation.finish(Atomic::kStore);
}

// A read-modify-write operation.
template <typename T, typename Operation>
T modify(volatile T* address, Pc pc, Operation perform) {
  omnium::runtime::before_access(address, sizeof(T), true, pc, true);
  AtomicOperation operation(const_cast<T*>(address), sizeof(T), pc);
  const T old = perform(address);
  operation.finish(Atomic::kUpdate);
  if (omnium::runtime::points_matter && Hardware<T>::load(address) == old) [[unlikely]]
    omnium::runtime::nothing_changed();
  return old;
}

// If the comparison fails, the operation is an attempt that only reads.
template <typename T>
bool compare_exchange(volatile T* address, T* expected, T desired, Pc pc) {
  omnium::runtime::before_access(address, sizeof(T), true, pc, true);
  AtomicOperation operation(const_cast<T*>(address), sizeof(T), pc);
  const bool done = Hardware<T>::compare_exchange(address, expected, desired);
  operation.finish(done ? Atomic::kUpdate : Atomic::kRetry);
  if (omnium::runtime::points_matter && !done) [[unlikely]]
    omnium::runtime::nothing_changed();
  return done;
}

}  // namespace

#define OMNIUM_MODIFY(bits, T, name)                                               \
  OMNIUM_EXPORTED T __tsan_atomic##bits##_##name(volatile T* a, T v, int) {        \
    return modify(a, OMNIUM_USER_PC(),                                             \
                  [v](volatile T* place) { return Hardware<T>::name(place, v); }); \
  }

#define OMNIUM_ATOMICS(bits, T)                                                                    \
  OMNIUM_EXPORTED T __tsan_atomic##bits##_load(const volatile T* a, int) {                         \
    return load(a, OMNIUM_USER_PC());                                                              \
  }                                                                                                \
  OMNIUM_EXPORTED void __tsan_atomic##bits##_store(volatile T* a, T v, int) {                      \
    store(a, v, OMNIUM_USER_PC());                                                                 \
  }                                                                                                \
  OMNIUM_MODIFY(bits, T, exchange)                                                                 \
  OMNIUM_MODIFY(bits, T, fetch_add)                                                                \
  OMNIUM_MODIFY(bits, T, fetch_sub)                                                                \
  OMNIUM_MODIFY(bits, T, fetch_and)                                                                \
  OMNIUM_MODIFY(bits, T, fetch_or)                                                                 \
  OMNIUM_MODIFY(bits, T, fetch_xor)                                                                \
  OMNIUM_MODIFY(bits, T, fetch_nand)                                                               \
  OMNIUM_EXPORTED int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* c, T v, int, \
                                                                    int) {                         \
    return compare_exchange(a, c, v, OMNIUM_USER_PC());                                            \
  }                                                                                                \
  OMNIUM_EXPORTED int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* c, T v, int,   \
                                                                  int) {                           \
    return compare_exchange(a, c, v, OMNIUM_USER_PC());                                            \
  }                                                                                                \
  OMNIUM_EXPORTED T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T c, T v, int,       \
                                                               int) {                              \
    compare_exchange(a, &c, v, OMNIUM_USER_PC());                                                  \
    return c;                                                                                      \
  }

OMNIUM_ATOMICS(8, u8)
OMNIUM_ATOMICS(16, u16)
OMNIUM_ATOMICS(32, u32)
OMNIUM_ATOMICS(64, u64)
OMNIUM_ATOMICS(128, u128)

OMNIUM_EXPORTED void __tsan_atomic_thread_fence(int) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
OMNIUM_EXPORTED void __tsan_atomic_signal_fence(int) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}
