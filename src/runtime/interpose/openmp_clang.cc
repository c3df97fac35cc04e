// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Sections of OpenMP as clang compiles them: critical and ordered ones, and those in which a thread
// adds its part of a reduction. The library would tell of their ends when they are over, which is
// too late; so these are interposed.
#include "runtime/interpose/openmp.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

using Combine = void(void*, void*);

OMNIUM_REAL_AS(real_critical, void(void*, int, void*), "__kmpc_critical");
OMNIUM_REAL_AS(real_critical_with_hint, void(void*, int, void*, unsigned),
               "__kmpc_critical_with_hint");
OMNIUM_REAL_AS(real_end_critical, void(void*, int, void*), "__kmpc_end_critical");
OMNIUM_REAL_AS(real_ordered, void(void*, int), "__kmpc_ordered");
OMNIUM_REAL_AS(real_end_ordered, void(void*, int), "__kmpc_end_ordered");
OMNIUM_REAL_AS(real_reduce, int(void*, int, int, std::size_t, void*, Combine*, void*),
               "__kmpc_reduce");
OMNIUM_REAL_AS(real_reduce_nowait, int(void*, int, int, std::size_t, void*, Combine*, void*),
               "__kmpc_reduce_nowait");
OMNIUM_REAL_AS(real_end_reduce, void(void*, int, void*), "__kmpc_end_reduce");
OMNIUM_REAL_AS(real_end_reduce_nowait, void(void*, int, void*), "__kmpc_end_reduce_nowait");

// What __kmpc_reduce returns to a thread that adds to the result alone. Others have nothing to do,
// or use atomics.
constexpr int kAlone = 1;
thread_local const void* tls_reduces __attribute__((tls_model("initial-exec")));

int enter_reduction(int how, const void* lock, Pc pc) {
  if (how != kAlone) return how;
  tls_reduces = lock;
  acquire(lock, pc);
  return how;
}

void leave_reduction(const void* lock, Pc pc) {
  if (tls_reduces != lock) return;
  tls_reduces = nullptr;
  release(lock, pc);
}

}  // namespace

OMNIUM_INTERPOSE void __kmpc_critical(void* place, int thread, void* section) {
  real_critical(place, thread, section);
  acquire(section, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __kmpc_critical_with_hint(void* place, int thread, void* section,
                                                unsigned hint) {
  real_critical_with_hint(place, thread, section, hint);
  acquire(section, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __kmpc_end_critical(void* place, int thread, void* section) {
  release(section, OMNIUM_USER_PC());
  real_end_critical(place, thread, section);
}

OMNIUM_INTERPOSE void __kmpc_ordered(void* place, int thread) {
  real_ordered(place, thread);
  if (tls_tool_team != nullptr) acquire(&tls_tool_team->ordered, OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __kmpc_end_ordered(void* place, int thread) {
  if (tls_tool_team != nullptr) release(&tls_tool_team->ordered, OMNIUM_USER_PC());
  real_end_ordered(place, thread);
}

OMNIUM_INTERPOSE int __kmpc_reduce(void* place, int thread, int count, std::size_t size, void* data,
                                   Combine* combine, void* lock) {
  return enter_reduction(real_reduce(place, thread, count, size, data, combine, lock), lock,
                         OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE int __kmpc_reduce_nowait(void* place, int thread, int count, std::size_t size,
                                          void* data, Combine* combine, void* lock) {
  return enter_reduction(real_reduce_nowait(place, thread, count, size, data, combine, lock), lock,
                         OMNIUM_USER_PC());
}
OMNIUM_INTERPOSE void __kmpc_end_reduce(void* place, int thread, void* lock) {
  leave_reduction(lock, OMNIUM_USER_PC());
  real_end_reduce(place, thread, lock);
}
OMNIUM_INTERPOSE void __kmpc_end_reduce_nowait(void* place, int thread, void* lock) {
  leave_reduction(lock, OMNIUM_USER_PC());
  real_end_reduce_nowait(place, thread, lock);
}

}  // namespace omnium::runtime
