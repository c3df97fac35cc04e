/* SPDX-FileCopyrightText: The Omnium authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Declares blocks that should be atomic, for C and C++. Everything here compiles to nothing unless
 * the file is compiled by `omnium cc` or `omnium c++`.
 *
 *   void transfer(Account& from, Account& to, int amount) {
 *     OMNIUM_ATOMIC("transfer");      // to the end of the scope, also when left by an exception
 *     ...
 *   }
 *
 * In C: omnium_begin("transfer"); ... omnium_end(); on every path. Names are best string literals:
 * others are looked up at each begin.
 *
 * For a lock of your own, call omnium_acquired(&lock) right after acquiring it and
 * omnium_releasing(&lock) right before releasing it, for the outermost level only. Put its
 * implementation between omnium_ignore_begin() and omnium_ignore_end(); otherwise the accesses of
 * its spin loop are events too.
 */
#pragma once

#ifdef __OMNIUM__

#ifdef __cplusplus
extern "C" {
#endif
void __omnium_begin(const char* name);
void __omnium_end(void);
void __omnium_begin_scope(const char* name, const void* scope);
void __omnium_end_scope(const void* scope);
void __omnium_acquired(const void* lock);
void __omnium_releasing(const void* lock);
void __omnium_ignore_begin(void);
void __omnium_ignore_end(void);
void* __omnium_fiber_create(void);
void __omnium_fiber_enter(void* fiber);
void __omnium_fiber_destroy(void* fiber);
void* __omnium_fiber_current(void);
#ifdef __cplusplus
}
#endif

#define omnium_begin(name) __omnium_begin(name)
#define omnium_end() __omnium_end()
#define omnium_begin_scope_(name, scope) __omnium_begin_scope(name, scope)
#define omnium_end_scope_(scope) __omnium_end_scope(scope)
#define omnium_acquired(lock) __omnium_acquired(lock)
#define omnium_releasing(lock) __omnium_releasing(lock)
#define omnium_ignore_begin() __omnium_ignore_begin()
#define omnium_ignore_end() __omnium_ignore_end()
#define omnium_fiber_create() __omnium_fiber_create()
#define omnium_fiber_enter(fiber) __omnium_fiber_enter(fiber)
#define omnium_fiber_destroy(fiber) __omnium_fiber_destroy(fiber)
#define omnium_fiber_current() __omnium_fiber_current()

#else

#define omnium_begin(name) ((void)(name))
#define omnium_end() ((void)0)
#define omnium_begin_scope_(name, scope) ((void)(name))
#define omnium_end_scope_(scope) ((void)(scope))
#define omnium_acquired(lock) ((void)(lock))
#define omnium_releasing(lock) ((void)(lock))
#define omnium_ignore_begin() ((void)0)
#define omnium_ignore_end() ((void)0)
#define omnium_fiber_create() ((void*)0)
#define omnium_fiber_enter(fiber) ((void)(fiber))
#define omnium_fiber_destroy(fiber) ((void)(fiber))
#define omnium_fiber_current() ((void*)0)

#endif

#ifdef __cplusplus
namespace omnium {

// A block from here to the end of the scope. Always inline and without hooks: the frame that opens
// the block is the one that has the scope. Any C++, from 1998 on.
#define OMNIUM_PART_OF_CALLER_ __attribute__((always_inline, no_instrument_function))
class AtomicScope {
 public:
  OMNIUM_PART_OF_CALLER_ explicit AtomicScope(const char* name) { omnium_begin_scope_(name, this); }
  OMNIUM_PART_OF_CALLER_ ~AtomicScope() { omnium_end_scope_(this); }

 private:
  AtomicScope(const AtomicScope&);
  AtomicScope& operator=(const AtomicScope&);
};

}  // namespace omnium

#define OMNIUM_JOIN_NAMES_(a, b) a##b
#define OMNIUM_SCOPE_NAME_(line) OMNIUM_JOIN_NAMES_(omnium_scope_, line)
#define OMNIUM_ATOMIC(name) const ::omnium::AtomicScope OMNIUM_SCOPE_NAME_(__LINE__)(name)
#endif
