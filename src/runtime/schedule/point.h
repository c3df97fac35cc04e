// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Points: the places where a run can be made to go another way, because a thread may be stopped
// there (docs/hunting.md). Every access, and every operation that takes a lock or lets a thread
// run. In an ordinary run there are none, and the inlined fast path of accesses stays on.
#pragma once

#include <cstdint>

#include "runtime/state/code.h"

namespace omnium::runtime {

enum class PointKind : std::uint8_t { kRead, kWrite, kAcquire, kStart };

struct Point {
  PointKind kind;
  std::uintptr_t address;  // of the memory or the lock
  unsigned size;           // in bytes, of memory
  Pc pc;
  bool atomic = false;  // of an access
};

// Are there points in this run? Set once, before the program starts.
extern bool points_matter;

// Exists while a signal handler of the program runs, which may have interrupted anything: there are
// no points meanwhile. (If the handler jumps out, its thread has none any more.)
extern constinit thread_local std::uint32_t tls_no_points
    __attribute__((tls_model("initial-exec")));
struct NoPoints {
  NoPoints() { ++tls_no_points; }
  ~NoPoints() { --tls_no_points; }
  NoPoints(const NoPoints&) = delete;
  NoPoints& operator=(const NoPoints&) = delete;
};

// Reads the options and decides whether there are.
void prepare_points();

// In the child of a fork, whose only thread has nobody to wait for: it is neither steered nor
// serial.
void stop_points();

// The thread is about to do it. Must be called outside of the runtime: it may take long.
[[gnu::noinline]] void at_point(const Point& point);

// The latest thing that the thread did, an atomic operation or an attempt to take a lock, has
// changed nothing.
void nothing_changed();

inline void before_access(const volatile void* address, unsigned size, bool write, Pc pc,
                          bool atomic = false) {
  if (!points_matter) [[likely]]
    return;
  at_point({write ? PointKind::kWrite : PointKind::kRead, reinterpret_cast<std::uintptr_t>(address),
            size, pc, atomic});
}

inline void before_acquire(const volatile void* lock, Pc pc) {
  if (!points_matter) [[likely]]
    return;
  at_point({PointKind::kAcquire, reinterpret_cast<std::uintptr_t>(lock), 0, pc});
}

// The thread's first point.
inline void before_body(Pc start) {
  if (!points_matter) [[likely]]
    return;
  at_point({PointKind::kStart, 0, 0, start});
}

// What the ways must know besides: the thread has taken a lock or is about to give it back; an
// outermost block begins, or is cut. Called if points matter.
void note_lock(const volatile void* lock, bool taken);
void note_block();

}  // namespace omnium::runtime
