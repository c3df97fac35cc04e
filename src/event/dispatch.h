// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From an event to its handler: the only switch on an event's kind that engines need.
#pragma once

#include <concepts>

#include "event/event.h"

namespace omnium {

// An engine has all eight handlers, or it does not compile.
template <class H>
concept EventHandler = requires(H h, ThreadId t, VarId x, LockId m, LabelId l) {
  { h.on_read(t, x) } -> std::same_as<void>;
  { h.on_write(t, x) } -> std::same_as<void>;
  { h.on_acquire(t, m) } -> std::same_as<void>;
  { h.on_release(t, m) } -> std::same_as<void>;
  { h.on_begin(t, l) } -> std::same_as<void>;
  { h.on_end(t) } -> std::same_as<void>;
  { h.on_fork(t, t) } -> std::same_as<void>;
  { h.on_join(t, t) } -> std::same_as<void>;
};

template <EventHandler H>
[[gnu::always_inline]] inline void dispatch(H& handler, const Event& event) {
  switch (event.kind) {
    case Kind::kRead: return handler.on_read(event.thread(), event.variable());
    case Kind::kWrite: return handler.on_write(event.thread(), event.variable());
    case Kind::kAcquire: return handler.on_acquire(event.thread(), event.lock());
    case Kind::kRelease: return handler.on_release(event.thread(), event.lock());
    case Kind::kBegin: return handler.on_begin(event.thread(), event.label());
    case Kind::kEnd: return handler.on_end(event.thread());
    case Kind::kFork: return handler.on_fork(event.thread(), event.other());
    case Kind::kJoin: return handler.on_join(event.thread(), event.other());
    case Kind::kSkip: return;
  }
}

}  // namespace omnium
