// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From a core event to its handler: the only switch on an event's kind that engines need.
#pragma once

#include <concepts>

#include "event/event.h"

namespace omnium {

// Reads and writes in one handler: for engines that treat them alike as long as nobody else touches
// the variable, since which of the two comes next cannot be predicted.
template <class H>
concept AccessHandler = requires(H h, ThreadId t, VarId x, bool writes) {
  { h.on_access(t, x, writes) } -> std::same_as<void>;
};

// An engine has all eight handlers (or one for both kinds of access), or it does not compile.
template <class H>
concept EventHandler = (AccessHandler<H> ||
                        requires(H h, ThreadId t, VarId x) {
                          { h.on_read(t, x) } -> std::same_as<void>;
                          { h.on_write(t, x) } -> std::same_as<void>;
                        }) &&
                       requires(H h, ThreadId t, LockId m, LabelId l) {
  { h.on_acquire(t, m) } -> std::same_as<void>;
  { h.on_release(t, m) } -> std::same_as<void>;
  { h.on_begin(t, l) } -> std::same_as<void>;
  { h.on_end(t) } -> std::same_as<void>;
  { h.on_fork(t, t) } -> std::same_as<void>;
  { h.on_join(t, t) } -> std::same_as<void>;
};

template <EventHandler H>
[[gnu::always_inline]] inline void dispatch(H& handler, const Event& event) {
  if constexpr (AccessHandler<H>) {
    if (event.kind <= Kind::kWrite) {
      return handler.on_access(event.thread(), event.variable(), event.kind == Kind::kWrite);
    }
  }
  switch (event.kind) {
    case Kind::kRead:
      if constexpr (!AccessHandler<H>) handler.on_read(event.thread(), event.variable());
      return;
    case Kind::kWrite:
      if constexpr (!AccessHandler<H>) handler.on_write(event.thread(), event.variable());
      return;
    case Kind::kAcquire: return handler.on_acquire(event.thread(), event.lock());
    case Kind::kRelease: return handler.on_release(event.thread(), event.lock());
    case Kind::kBegin: return handler.on_begin(event.thread(), event.label());
    case Kind::kEnd: return handler.on_end(event.thread());
    case Kind::kFork: return handler.on_fork(event.thread(), event.other());
    case Kind::kJoin: return handler.on_join(event.thread(), event.other());
    default: return;  // richer events: event/lowering.h
  }
}

}  // namespace omnium
