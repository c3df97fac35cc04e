// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which events can only come in one order, because threads were created or joined in between?
#pragma once

#include <map>
#include <span>

#include "event/event.h"

namespace omnium::hunt {

class ThreadOrder {
 public:
  explicit ThreadOrder(std::span<const Event> events);

  // Of an event of a thread: its place in the trace.
  struct Moment {
    ThreadId thread;
    EventIndex at;
  };
  // Does one of them always come before the other?
  bool is_fixed(const Moment& a, const Moment& b) const { return precedes(a, b) || precedes(b, a); }

 private:
  bool precedes(const Moment& first, const Moment& second) const;

  std::map<ThreadId, Moment> forked_, joined_;  // by the child: where its creator did that
};

}  // namespace omnium::hunt
