/* SPDX-FileCopyrightText: The Omnium authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for the runtime in tests of the compiler drivers: every hook that compiled code calls,
 * and a log of those that touch what the program watches. The log is printed at the end:
 *   enter f   read 4 +0   write 4 +0   leave f */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const char* watched;
static size_t watched_size;
static int logging;

void stand_in_watch(const void* address, size_t size) {
  watched = address;
  watched_size = size;
  logging = 1;
}

void stand_in_stop(void) { logging = 0; }

static void access(const char* kind, const void* address, size_t size) {
  const char* begin = address;
  if (!logging || begin >= watched + watched_size || begin + size <= watched) return;
  logging = 0;
  printf("%s %zu +%td\n", kind, size, begin - watched);
  logging = 1;
}

static void function(const char* what, void* address) {
  Dl_info info;
  if (!logging) return;
  logging = 0;
  if (dladdr(address, &info) == 0 || info.dli_sname == NULL) info.dli_sname = "?";
  printf("%s %s\n", what, info.dli_sname);
  logging = 1;
}

void __cyg_profile_func_enter(void* f, void* site) {
  (void)site;
  function("enter", f);
}
void __cyg_profile_func_exit(void* f, void* site) {
  (void)site;
  function("leave", f);
}

void __tsan_init(void) {}
void __tsan_func_entry(void* pc) { function("tsan-entry", pc); }
void __tsan_func_exit(void) { function("tsan-exit", NULL); }
void __tsan_vptr_read(void** p) { access("read", p, 8); }
void __tsan_vptr_update(void** p, void* value) {
  (void)value;
  access("write", p, 8);
}
void __tsan_read_range(void* p, unsigned long size) { access("read", p, size); }
void __tsan_write_range(void* p, unsigned long size) { access("write", p, size); }

#define ACCESSES(size)                                                   \
  void __tsan_read##size(void* p) { access("read", p, size); }           \
  void __tsan_write##size(void* p) { access("write", p, size); }         \
  void __tsan_unaligned_read##size(void* p) { access("read", p, size); } \
  void __tsan_unaligned_write##size(void* p) { access("write", p, size); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* What inlined code looks at and what it calls (wire/inlined.h). At first nothing is quick. */
static uint64_t quick[6] = {(uint64_t)15 << 60, UINT64_MAX, UINT64_MAX,
                            UINT64_MAX,         UINT64_MAX, UINT64_MAX};
char __omnium_functions_2;
void __omnium_entered_2(void* f) { (void)f; }
__thread uint64_t* __omnium_thread_2 = quick;

void stand_in_quick(const uint64_t* cells) { memcpy(quick, cells, sizeof quick); }

__attribute__((constructor)) static void map_shadow(void) {
  mmap((void*)0x100000000000, (size_t)1 << 45, PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
}

#define SLOW_ACCESSES(size, prefix)                                            \
  void __omnium_##prefix##read##size##_2(void* p) { access("read", p, size); } \
  void __omnium_##prefix##write##size##_2(void* p) { access("write", p, size); }
SLOW_ACCESSES(4, )
SLOW_ACCESSES(8, )
SLOW_ACCESSES(16, )
SLOW_ACCESSES(1, library_)
SLOW_ACCESSES(2, library_)
SLOW_ACCESSES(4, library_)
SLOW_ACCESSES(8, library_)
SLOW_ACCESSES(16, library_)

/* Tests are single-threaded: plain operations do. */
#define UPDATE(bits, T, name, expression)                             \
  T __tsan_atomic##bits##_##name(volatile T* p, T value, int order) { \
    const T old = *p;                                                 \
    (void)order;                                                      \
    access("update", (const void*)p, bits / 8);                       \
    *p = (T)(expression);                                             \
    return old;                                                       \
  }
#define COMPARE(bits, T, name)                                                                   \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T* p, T* expected, T to, int order, \
                                                    int failure) {                               \
    const T old = *p;                                                                            \
    (void)order, (void)failure;                                                                  \
    access("update", (const void*)p, bits / 8);                                                  \
    if (old == *expected) return *p = to, 1;                                                     \
    return *expected = old, 0;                                                                   \
  }
#define ATOMICS(bits, T)                                                                   \
  T __tsan_atomic##bits##_load(const volatile T* p, int order) {                           \
    (void)order;                                                                           \
    access("load", (const void*)p, bits / 8);                                              \
    return *p;                                                                             \
  }                                                                                        \
  void __tsan_atomic##bits##_store(volatile T* p, T value, int order) {                    \
    (void)order;                                                                           \
    access("store", (const void*)p, bits / 8);                                             \
    *p = value;                                                                            \
  }                                                                                        \
  UPDATE(bits, T, exchange, value)                                                         \
  UPDATE(bits, T, fetch_add, old + value)                                                  \
  UPDATE(bits, T, fetch_sub, old - value)                                                  \
  UPDATE(bits, T, fetch_and, old& value)                                                   \
  UPDATE(bits, T, fetch_or, old | value)                                                   \
  UPDATE(bits, T, fetch_xor, old ^ value)                                                  \
  UPDATE(bits, T, fetch_nand, ~(old & value))                                              \
  COMPARE(bits, T, strong)                                                                 \
  COMPARE(bits, T, weak)                                                                   \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T to, int order, \
                                               int failure) {                              \
    const T old = *p;                                                                      \
    (void)order, (void)failure;                                                            \
    access("update", (const void*)p, bits / 8);                                            \
    if (old == expected) *p = to;                                                          \
    return old;                                                                            \
  }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
__extension__ typedef unsigned __int128 u128;
ATOMICS(128, u128)
void __tsan_atomic_thread_fence(int order) { (void)order; }
void __tsan_atomic_signal_fence(int order) { (void)order; }

void* __wrap_memcpy(void* to, const void* from, size_t size) {
  access("read", from, size);
  access("write", to, size);
  return memcpy(to, from, size);
}
void* __wrap_memmove(void* to, const void* from, size_t size) {
  access("read", from, size);
  access("write", to, size);
  return memmove(to, from, size);
}
void* __wrap_memset(void* to, int value, size_t size) {
  access("write", to, size);
  return memset(to, value, size);
}
void* __wrap___memcpy_chk(void* to, const void* from, size_t size, size_t room) {
  (void)room;
  return __wrap_memcpy(to, from, size);
}
void* __wrap___memmove_chk(void* to, const void* from, size_t size, size_t room) {
  (void)room;
  return __wrap_memmove(to, from, size);
}
void* __wrap___memset_chk(void* to, int value, size_t size, size_t room) {
  (void)room;
  return __wrap_memset(to, value, size);
}

static int modules;
int stand_in_modules(void) { return modules; }
void __omnium_module_loaded(const void* begin, const void* end) {
  modules += (const char*)begin < (const char*)end;
}
static const char* block;
const char* stand_in_block(void) { return block; }
void __omnium_begin(const char* name) { block = name; }
void __omnium_end(void) { block = NULL; }
void __omnium_begin_scope(const char* name, const void* scope) {
  (void)scope;
  block = name;
}
void __omnium_end_scope(const void* scope) {
  (void)scope;
  block = NULL;
}

// Functions that only look at memory.
#define FORWARDED(name)                                                             \
  __asm__(".text\n.globl __wrap_" #name "\n.type __wrap_" #name ",@function\n__wrap_" #name \
          ":\n\tjmp " #name "@PLT\n")
FORWARDED(strlen);
FORWARDED(strnlen);
FORWARDED(strcmp);
FORWARDED(strncmp);
FORWARDED(strcasecmp);
FORWARDED(strncasecmp);
FORWARDED(memcmp);
FORWARDED(bcmp);
FORWARDED(strchr);
FORWARDED(strrchr);
FORWARDED(strstr);
FORWARDED(strchrnul);
FORWARDED(strspn);
FORWARDED(strcspn);
FORWARDED(strpbrk);
FORWARDED(memchr);
FORWARDED(memrchr);
FORWARDED(memmem);
FORWARDED(strdup);
FORWARDED(strndup);
FORWARDED(puts);
FORWARDED(fputs);
FORWARDED(strtol);
FORWARDED(strtoul);
FORWARDED(strtoll);
FORWARDED(strtoull);
FORWARDED(strtof);
FORWARDED(strtod);
FORWARDED(strtold);
FORWARDED(atoi);
FORWARDED(atol);
FORWARDED(atoll);
FORWARDED(atof);
