// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Finds events of a trace again: the accesses of a variable near some event, the transaction of an
// event, where a thread last held no lock.
#pragma once

#include <span>
#include <vector>

#include "finding/finding.h"
#include "predict/shared_objects.h"

namespace omnium::predict {

class EventIndexer {
 public:
  EventIndexer(std::span<const Event> events, const Extent& extent);

  // Up to `count` accesses before and after `near` that conflict with that access, in other
  // threads; nearest first.
  std::vector<EventIndex> conflicting(EventIndex near, std::size_t count) const;

  // The access and up to `count` later ones of shared variables in its thread.
  std::span<const EventIndex> from(EventIndex access, std::size_t count) const;

  ThreadId thread_of(EventIndex event) const { return events_[event].thread(); }
  // The outermost block around the event, or (label none) the event itself.
  BlockRef block_of(EventIndex event) const;
  // Labels of the blocks that the thread has open before `at`, outermost first.
  std::vector<LabelId> open_blocks(ThreadId thread, EventIndex at) const;
  // Where the event's thread took the first of the locks that it holds there; the event itself if
  // it holds none.
  EventIndex section_begin(EventIndex event) const;

 private:
  struct Span {
    BlockRef block;
    EventIndex end;
  };

  std::span<const Event> events_;
  std::vector<std::vector<EventIndex>> accesses_;   // per variable; only if two threads share it
  std::vector<std::vector<EventIndex>> by_thread_;  // accesses of shared variables
  std::vector<std::vector<Span>> blocks_;           // per thread
  // Per thread: where it holds a lock, from the first acquire to the last release.
  std::vector<std::vector<std::pair<EventIndex, EventIndex>>> sections_;
};

}  // namespace omnium::predict
