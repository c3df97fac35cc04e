// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "report/changed_read.h"

#include <algorithm>
#include <unordered_map>

namespace omnium::report {

ChangedReads::ChangedReads(const predict::LoadedTrace& trace)
    : trace_(trace), writes_(trace.extent.variables) {
  for (EventIndex index = 0; index < trace.events.size(); ++index) {
    const Event& event = trace.events[index];
    if (is_write(event.kind)) writes_[event.object].push_back(index);
  }
}

EventIndex ChangedReads::last_write(std::uint32_t variable, EventIndex index) const {
  const auto& writes = writes_[variable];
  const auto next = std::ranges::lower_bound(writes, index);
  return next == writes.begin() ? kNoEvent : *std::prev(next);
}

EventIndex ChangedReads::first_of(const predict::Interleaving& interleaving) const {
  std::unordered_map<std::uint32_t, EventIndex> last_of_thread, last_write_of;
  for (const EventIndex index : interleaving.then) {
    last_of_thread[trace_.events[index].thread_id] = index;
  }
  for (const EventIndex index : interleaving.then) {
    const Event& event = trace_.events[index];
    if (event.kind == Kind::kRead && last_of_thread[event.thread_id] != index) {
      const auto here = last_write_of.find(event.object);
      const EventIndex seen = here == last_write_of.end()
                                  ? last_write(event.object, interleaving.recorded)
                                  : here->second;
      if (seen != last_write(event.object, index)) return index;
    }
    if (is_write(event.kind)) last_write_of[event.object] = index;
  }
  return kNoEvent;
}

}  // namespace omnium::report
