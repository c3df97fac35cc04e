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
// The barrier that the others wait at until this thread has added all parts to the result.
thread_local Reduction tls_awaited __attribute__((tls_model("initial-exec")));

// The other part belongs to a thread that has arrived. What becomes of the own part is combined
// with that of a third thread, for which this thread arrives once more.
void combine_parts(void* own, void* other) {
  const Reduction& reduction = *tls_reduction;
  if (reduction.team == nullptr) return reduction.combine(own, other);
  depart(*reduction.team, reduction.round, reduction.pc);
  reduction.combine(own, other);
  arrive(*reduction.team, reduction.round, reduction.pc);
}

// `real` calls the library with combine_parts.
template <typename Real>
int enter_reduction(Combine* combine, const void* lock, Pc pc, Real real) {
  Reduction reduction{combine, pc, nullptr, 0, tls_reduction};
  tls_reduction = &reduction;
  const int how = real();
  tls_reduction = reduction.around;
  if (how != kAlone) return how;
  tls_reduces = lock;
  tls_awaited = reduction;
  acquire(lock, pc);
  return how;
}

// `awaited`: the others wait at the barrier, if there is one, until this thread is ready.
void leave_reduction(const void* lock, bool awaited, Pc pc) {
  if (tls_reduces != lock) return;
  tls_reduces = nullptr;
  release(lock, pc);
  if (awaited && tls_awaited.team != nullptr) arrive(*tls_awaited.team, tls_awaited.round, pc);
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
  return enter_reduction(combine, lock, OMNIUM_USER_PC(), [&] {
    return real_reduce(place, thread, count, size, data, combine_parts, lock);
  });
}
OMNIUM_INTERPOSE int __kmpc_reduce_nowait(void* place, int thread, int count, std::size_t size,
                                          void* data, Combine* combine, void* lock) {
  return enter_reduction(combine, lock, OMNIUM_USER_PC(), [&] {
    return real_reduce_nowait(place, thread, count, size, data, combine_parts, lock);
  });
}
OMNIUM_INTERPOSE void __kmpc_end_reduce(void* place, int thread, void* lock) {
  leave_reduction(lock, true, OMNIUM_USER_PC());
  real_end_reduce(place, thread, lock);
}
OMNIUM_INTERPOSE void __kmpc_end_reduce_nowait(void* place, int thread, void* lock) {
  leave_reduction(lock, false, OMNIUM_USER_PC());
  real_end_reduce_nowait(place, thread, lock);
}

}  // namespace omnium::runtime
