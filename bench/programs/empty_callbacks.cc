// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The functions that instrumented code calls, doing nothing (but atomic operations, which the
// compilers leave to them): what is left of the cost is that of the calls. A shared library, as the
// runtime is.
#include <cstdint>
#include <cstring>

#define EXPORTED extern "C" __attribute__((visibility("default")))

#define PLAIN(size)                                            \
  EXPORTED void __tsan_read##size(void*) {}                    \
  EXPORTED void __tsan_write##size(void*) {}                   \
  EXPORTED void __tsan_read_write##size(void*) {}              \
  EXPORTED void __tsan_volatile_read##size(void*) {}           \
  EXPORTED void __tsan_volatile_write##size(void*) {}          \
  EXPORTED void __tsan_unaligned_read##size(void*) {}          \
  EXPORTED void __tsan_unaligned_write##size(void*) {}         \
  EXPORTED void __tsan_unaligned_read_write##size(void*) {}    \
  EXPORTED void __tsan_unaligned_volatile_read##size(void*) {} \
  EXPORTED void __tsan_unaligned_volatile_write##size(void*) {}

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

#define FETCH(bits, operation)                                            \
  EXPORTED std::uint##bits##_t __tsan_atomic##bits##_fetch_##operation(   \
      volatile std::uint##bits##_t* at, std::uint##bits##_t value, int) { \
    return __atomic_fetch_##operation(at, value, __ATOMIC_SEQ_CST);       \
  }

#define COMPARE_EXCHANGE(bits, strength, is_weak)                                                 \
  EXPORTED int __tsan_atomic##bits##_compare_exchange_##strength(                                 \
      volatile std::uint##bits##_t* at, std::uint##bits##_t* expected, std::uint##bits##_t value, \
      int, int) {                                                                                 \
    return __atomic_compare_exchange_n(at, expected, value, is_weak, __ATOMIC_SEQ_CST,            \
                                       __ATOMIC_SEQ_CST);                                         \
  }

#define ATOMIC(bits)                                                                              \
  EXPORTED std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* at, \
                                                          int) {                                  \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                               \
  EXPORTED void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* at,                     \
                                            std::uint##bits##_t value, int) {                     \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                \
  }                                                                                               \
  EXPORTED std::uint##bits##_t __tsan_atomic##bits##_exchange(volatile std::uint##bits##_t* at,   \
                                                              std::uint##bits##_t value, int) {   \
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                      \
  }                                                                                               \
  COMPARE_EXCHANGE(bits, strong, false)                                                           \
  COMPARE_EXCHANGE(bits, weak, true)                                                              \
  FETCH(bits, add)                                                                                \
  FETCH(bits, sub)                                                                                \
  FETCH(bits, and)                                                                                \
  FETCH(bits, or)                                                                                 \
  FETCH(bits, xor)                                                                                \
  FETCH(bits, nand)

ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

EXPORTED void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
EXPORTED void __tsan_atomic_signal_fence(int) {}

EXPORTED void __tsan_init() {}
EXPORTED void __tsan_func_entry(void*) {}
EXPORTED void __tsan_func_exit() {}
EXPORTED void __tsan_vptr_update(void**, void*) {}
EXPORTED void __tsan_vptr_read(void**) {}
EXPORTED void __tsan_read_range(void*, unsigned long) {}
EXPORTED void __tsan_write_range(void*, unsigned long) {}

// clang and gcc have names of their own for these.
#define COPIES(prefix)                                                           \
  EXPORTED void* prefix##memcpy(void* to, const void* from, std::size_t size) {  \
    return std::memcpy(to, from, size);                                          \
  }                                                                              \
  EXPORTED void* prefix##memmove(void* to, const void* from, std::size_t size) { \
    return std::memmove(to, from, size);                                         \
  }                                                                              \
  EXPORTED void* prefix##memset(void* at, int value, std::size_t size) {         \
    return std::memset(at, value, size);                                         \
  }

COPIES(__tsan_)
COPIES(__wrap_)

EXPORTED void __cyg_profile_func_enter(void*, void*) {}
EXPORTED void __cyg_profile_func_exit(void*, void*) {}
EXPORTED void __omnium_begin(const char*) {}
EXPORTED void __omnium_end() {}
