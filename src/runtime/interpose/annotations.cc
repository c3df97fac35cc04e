// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Annotations in the program: <omnium/atomic.h>, and ThreadSanitizer's interface, which existing
// code may call.
//
// Locks that are annotated for ThreadSanitizer may be taken for reading, so all of them count as
// reader-writer locks. These may also be taken again by their holder. A switch between fibers is
// not synchronization: otherwise every block that yields would refute itself.
#include "runtime/interpose/annotations.h"

#include "runtime/interpose/objects.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

struct AnnotatedAddress {
  const void* address;
  Meeting meeting;
  void clear() { reset(meeting); }
};
ObjectTable<AnnotatedAddress, 1 << 12> addresses;

// Flags of __tsan_mutex_*, in sanitizer/tsan_interface.h.
constexpr unsigned kReadLock = 1 << 3;
constexpr unsigned kTryLockFailed = 1 << 5;

void taken(const void* lock, bool for_reading, Pc pc) {
  for_reading ? read_acquire(lock, pc) : write_acquire(lock, pc);
}

void leaving(const void* lock, bool for_reading, Pc pc) {
  for_reading ? read_release(lock, pc) : write_release(lock, pc);
}

}  // namespace

void happens_before(const void* address, Pc pc) {
  const ObjectsLock lock;
  if (!lock) return;
  note_object(address);
  contribute(addresses.find_or_insert(address).meeting, address, pc);
}

void happens_after(const void* address, Pc pc) {
  const ObjectsLock lock;
  if (!lock) return;
  AnnotatedAddress* found = addresses.find(address);
  if (found != nullptr) collect(found->meeting, address, pc);
}

void forget_happens_before(const void* address) {
  const ObjectsLock lock;
  if (lock) addresses.forget(address);
}

void forget_annotations(std::uintptr_t begin, std::uintptr_t end) {
  addresses.forget_range(begin, end);
}

// <omnium/atomic.h>
// --------------------------------------------------------------------------------

OMNIUM_INTERPOSE void __omnium_begin(const char* name) {
  begin_block(name, __builtin_frame_address(0), OMNIUM_USER_PC());
}
namespace {

// Does the scope lie in the frame of its function, or of one that called that?
bool is_on_stack(const void* scope, const void* frame) {
  constexpr std::uintptr_t kMost = 1 << 20;
  return reinterpret_cast<std::uintptr_t>(scope) - reinterpret_cast<std::uintptr_t>(frame) < kMost;
}

}  // namespace

OMNIUM_INTERPOSE void __omnium_begin_scope(const char* name, const void* scope) {
  const void* const frame = __builtin_frame_address(0);
  if (is_on_stack(scope, frame)) return begin_block(name, frame, OMNIUM_USER_PC());
  begin_scope(name, scope, frame, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __omnium_end_scope(const void* scope) {
  const void* const frame = __builtin_frame_address(0);
  if (is_on_stack(scope, frame)) return end_block(caller_frame(frame), OMNIUM_USER_PC());
  end_scope(scope, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __omnium_end() {
  end_block(caller_frame(__builtin_frame_address(0)), OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __omnium_acquired(const void* lock) { acquire(lock, OMNIUM_USER_PC()); }
OMNIUM_INTERPOSE void __omnium_releasing(const void* lock) { release(lock, OMNIUM_USER_PC()); }
OMNIUM_INTERPOSE void __omnium_ignore_begin() { ignore_begin(); }
OMNIUM_INTERPOSE void __omnium_ignore_end() { ignore_end(); }
OMNIUM_INTERPOSE void* __omnium_fiber_create() { return fiber_created(OMNIUM_USER_PC()); }
OMNIUM_INTERPOSE void __omnium_fiber_enter(void* fiber) {
  fiber_entered(static_cast<ThreadState*>(fiber));
}
OMNIUM_INTERPOSE void __omnium_fiber_destroy(void* fiber) {
  fiber_destroyed(static_cast<ThreadState*>(fiber));
}
OMNIUM_INTERPOSE void* __omnium_fiber_current() { return current_thread(); }

// A latch of the C++ library, through the header that stands before <latch>. It serves once.
OMNIUM_INTERPOSE void __omnium_latch_created(const void* latch) { forget_happens_before(latch); }
OMNIUM_INTERPOSE void __omnium_latch_arrival(const void* latch) {
  happens_before(latch, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __omnium_latch_passed(const void* latch) {
  happens_after(latch, OMNIUM_USER_PC());
}

// sanitizer/tsan_interface.h
// -----------------------------------------------------------------------

OMNIUM_INTERPOSE void __tsan_release(void* address) { happens_before(address, OMNIUM_USER_PC()); }
OMNIUM_INTERPOSE void __tsan_acquire(void* address) { happens_after(address, OMNIUM_USER_PC()); }

OMNIUM_INTERPOSE void __tsan_mutex_create(void* lock, unsigned) { forget_lock(lock); }
OMNIUM_INTERPOSE void __tsan_mutex_destroy(void* lock, unsigned) { forget_lock(lock); }
OMNIUM_INTERPOSE void __tsan_mutex_pre_lock(void*, unsigned) { ignore_begin(); }
OMNIUM_INTERPOSE void __tsan_mutex_post_lock(void* lock, unsigned flags, int) {
  ignore_end();
  if ((flags & kTryLockFailed) == 0) taken(lock, (flags & kReadLock) != 0, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE int __tsan_mutex_pre_unlock(void* lock, unsigned flags) {
  leaving(lock, (flags & kReadLock) != 0, OMNIUM_USER_PC());
  ignore_begin();
  return 1;
}
OMNIUM_INTERPOSE void __tsan_mutex_post_unlock(void*, unsigned) { ignore_end(); }
OMNIUM_INTERPOSE void __tsan_mutex_pre_signal(void*, unsigned) { ignore_begin(); }
OMNIUM_INTERPOSE void __tsan_mutex_post_signal(void*, unsigned) { ignore_end(); }
OMNIUM_INTERPOSE void __tsan_mutex_pre_divert(void*, unsigned) { ignore_end(); }
OMNIUM_INTERPOSE void __tsan_mutex_post_divert(void*, unsigned) { ignore_begin(); }
OMNIUM_INTERPOSE void __tsan_check_no_mutexes_held() {}

OMNIUM_INTERPOSE void __tsan_ignore_thread_begin() { ignore_begin(); }
OMNIUM_INTERPOSE void __tsan_ignore_thread_end() { ignore_end(); }

OMNIUM_INTERPOSE void* __tsan_get_current_fiber() { return current_thread(); }
OMNIUM_INTERPOSE void* __tsan_create_fiber(unsigned) { return fiber_created(OMNIUM_USER_PC()); }
OMNIUM_INTERPOSE void __tsan_destroy_fiber(void* fiber) {
  fiber_destroyed(static_cast<ThreadState*>(fiber));
}
OMNIUM_INTERPOSE void __tsan_switch_to_fiber(void* fiber, unsigned) {
  fiber_entered(static_cast<ThreadState*>(fiber));
}
OMNIUM_INTERPOSE void __tsan_set_fiber_name(void* fiber, const char* name) {
  thread_named(static_cast<ThreadState*>(fiber), name);
}

OMNIUM_INTERPOSE void* __tsan_external_register_tag(const char*) { return nullptr; }
OMNIUM_INTERPOSE void __tsan_external_register_header(void*, const char*) {}
OMNIUM_INTERPOSE void __tsan_external_assign_tag(void*, void*) {}
OMNIUM_INTERPOSE void __tsan_external_read(void* address, void* pc, void*) {
  read_range(address, 1, reinterpret_cast<Pc>(pc));
}
OMNIUM_INTERPOSE void __tsan_external_write(void* address, void* pc, void*) {
  write_range(address, 1, reinterpret_cast<Pc>(pc));
}
OMNIUM_INTERPOSE void __tsan_flush_memory() {}

}  // namespace omnium::runtime
