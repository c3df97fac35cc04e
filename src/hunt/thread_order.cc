// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "hunt/thread_order.h"

namespace omnium::hunt {

ThreadOrder::ThreadOrder(std::span<const Event> events) {
  for (EventIndex i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.kind == Kind::kFork) forked_.try_emplace(event.other(), Moment{event.thread(), i});
    if (event.kind == Kind::kJoin) joined_.try_emplace(event.other(), Moment{event.thread(), i});
  }
}

// An event comes after what its thread's creator did before it created the thread, and so on; and
// what a thread did comes before what follows its join.
bool ThreadOrder::precedes(const Moment& first, const Moment& second) const {
  Moment from = first;
  for (;;) {
    if (from.thread == second.thread) return from.at < second.at;
    for (auto created = forked_.find(second.thread); created != forked_.end();
         created = forked_.find(created->second.thread)) {
      if (created->second.thread == from.thread && from.at < created->second.at) return true;
    }
    const auto joined = joined_.find(from.thread);
    if (joined == joined_.end() || joined->second.at < from.at) return false;
    from = joined->second;
  }
}

}  // namespace omnium::hunt
