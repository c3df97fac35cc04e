// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Pieces of a trace, read a second time with their locations: the neighbourhoods of the events of
// findings.
#pragma once

#include <vector>

#include "event/source.h"
#include "support/error.h"

namespace omnium {

// Events first <= index < last.
struct EventRange {
  EventIndex first = 0;
  EventIndex last = 0;
};

class Excerpt {
 public:
  // Reads the ranges, each event once. `source` has been read to its end before.
  static Result<Excerpt> read(EventSource& source, std::vector<EventRange> ranges);

  // The event, or nullptr if it was not read.
  const Event* find(EventIndex index) const;
  // Was every event of the range read?
  bool covers(EventRange range) const;

  // Every event from here to `index` was read; `index` itself if it was not.
  EventIndex known_since(EventIndex index) const;

  // Calls visit(index, event) for the events of `thread` in `range`, in order, as far as they were
  // read.
  template <class Visit>
  void visit_thread(ThreadId thread, EventRange range, Visit&& visit) const {
    for (std::size_t i = piece_after(range.first); i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      if (piece.first >= range.last) return;
      const EventIndex from = piece.first < range.first ? range.first : piece.first;
      const EventIndex to = piece.last() < range.last ? piece.last() : range.last;
      for (EventIndex at = from; at < to; ++at) {
        const Event& event = piece.events[at - piece.first];
        if (event.thread() == thread) visit(at, event);
      }
    }
  }

 private:
  struct Piece {
    EventIndex first = 0;
    std::vector<Event> events;
    EventIndex last() const { return first + events.size(); }
  };

  // The first piece that ends after `index`.
  std::size_t piece_after(EventIndex index) const;

  std::vector<Piece> pieces_;  // in order, apart from each other
};

}  // namespace omnium
