// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#define __OMNIUM__ 1  // as the compiler drivers do
#include <omnium/atomic.h>

#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/interpose/event_log.h"

extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void __tsan_mutex_create(void* lock, unsigned flags);
void __tsan_mutex_pre_lock(void* lock, unsigned flags);
void __tsan_mutex_post_lock(void* lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void* lock, unsigned flags);
void __tsan_mutex_post_unlock(void* lock, unsigned flags);
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_set_fiber_name(void* fiber, const char* name);
void __tsan_destroy_fiber(void* fiber);
void AnnotateHappensBefore(const char* file, int line, const volatile void* address);
void AnnotateHappensAfter(const char* file, int line, const volatile void* address);
void AnnotateRWLockAcquired(const char* file, int line, const volatile void* lock, long writing);
void AnnotateRWLockReleased(const char* file, int line, const volatile void* lock, long writing);
void AnnotateThreadName(const char* file, int line, const char* name);
void AnnotateBenignRaceSized(const char* file, int line, const volatile void*, long, const char*);
}

namespace omnium::test {
namespace {

TEST(Annotations, Blocks) {
  const EventLog log;
  {
    OMNIUM_ATOMIC("transfer");
    omnium_begin("inner");
    omnium_end();
  }
  EXPECT_EQ(log.text(), "T0 begin transfer\nT0 begin inner\nT0 end\nT0 end\n");
}

TEST(Annotations, OwnLocks) {
  int lock = 0;
  const EventLog log(&lock, "lock");
  omnium_ignore_begin();
  omnium_ignore_end();
  omnium_acquired(&lock);
  omnium_releasing(&lock);
  EXPECT_EQ(log.text(), "T0 ignore_begin\nT0 ignore_end\nT0 acquire lock\nT0 release lock\n");
}

TEST(Annotations, Fibers) {
  const EventLog log;
  void* self = omnium_fiber_current();
  void* fiber = omnium_fiber_create();
  omnium_fiber_enter(fiber);
  EXPECT_EQ(omnium_fiber_current(), fiber);
  omnium_fiber_enter(self);
  omnium_fiber_destroy(fiber);
  fiber = __tsan_create_fiber(0);
  __tsan_set_fiber_name(fiber, "two");
  __tsan_switch_to_fiber(fiber, 0);
  __tsan_switch_to_fiber(self, 0);
  EXPECT_EQ(__tsan_get_current_fiber(), self);
  __tsan_destroy_fiber(fiber);
  EXPECT_EQ(log.text(),
            "T0 fiber_created T1\nT0 fiber_entered T1\nT1 fiber_entered T0\n"
            "T0 fiber_destroyed T1\nT0 fiber_created T2\nT0 named T2 two\nT0 fiber_entered T2\n"
            "T2 fiber_entered T0\nT0 fiber_destroyed T2\n");
}

TEST(Annotations, HappensBefore) {
  auto* x = static_cast<int*>(std::malloc(sizeof(int)));
  const EventLog log(x, "x");
  __tsan_acquire(x);
  __tsan_release(x);
  AnnotateHappensBefore("", 0, x);
  AnnotateHappensAfter("", 0, x);
  __tsan_acquire(x);
  void (*volatile give_back)(void*) = std::free;
  give_back(x);
  __tsan_acquire(x);  // nothing is left of it
  EXPECT_EQ(log.text(),
            "T0 contribute x #1\nT0 contribute x #1\nT0 collect x #1\nT0 collect x #1\n"
            "T0 free x[24]\n");
}

TEST(Annotations, LocksForThreadSanitizer) {
  constexpr unsigned kRead = 1 << 3, kTry = 1 << 4, kFailed = 1 << 5;
  int lock = 0;
  const EventLog log(&lock, "lock");
  __tsan_mutex_create(&lock, 0);
  for (const unsigned flags : {0u, kRead}) {
    __tsan_mutex_pre_lock(&lock, flags);
    __tsan_mutex_post_lock(&lock, flags, 1);
    EXPECT_EQ(__tsan_mutex_pre_unlock(&lock, flags), 1);
    __tsan_mutex_post_unlock(&lock, flags);
  }
  __tsan_mutex_pre_lock(&lock, kTry);
  __tsan_mutex_post_lock(&lock, kTry | kFailed, 1);
  const std::string ignored = "T0 ignore_begin\nT0 ignore_end\n";
  EXPECT_EQ(log.text(), "T0 forget_lock lock\n" + ignored +
                            "T0 write_acquire lock\nT0 write_release lock\n" + ignored + ignored +
                            "T0 read_acquire lock\nT0 read_release lock\n" + ignored + ignored);
}

TEST(Annotations, DynamicAnnotations) {
  int lock = 0;
  const EventLog log(&lock, "lock");
  AnnotateRWLockAcquired("", 0, &lock, 1);
  AnnotateRWLockReleased("", 0, &lock, 1);
  AnnotateRWLockAcquired("", 0, &lock, 0);
  AnnotateRWLockReleased("", 0, &lock, 0);
  AnnotateThreadName("", 0, "me");
  AnnotateBenignRaceSized("", 0, &lock, 4, "whatever");
  EXPECT_EQ(log.text(),
            "T0 write_acquire lock\nT0 write_release lock\nT0 read_acquire lock\n"
            "T0 read_release lock\nT0 named T0 me\n");
}

}  // namespace
}  // namespace omnium::test
