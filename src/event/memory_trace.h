// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A trace in memory, and reading it like any other.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "event/source.h"

namespace omnium {

struct MemoryTrace {
  std::vector<Event> events;
  Names names;
};

// The events and names must outlive it.
class MemorySource : public EventSource {
 public:
  MemorySource(std::span<const Event> events, const Names& names)
      : events_(events), names_(names) {}
  explicit MemorySource(const MemoryTrace& trace) : MemorySource(trace.events, trace.names) {}

  Result<std::size_t> read(std::span<Event> out) override {
    const auto next = events_.subspan(next_, std::min(out.size(), events_.size() - next_));
    std::ranges::copy(next, out.begin());
    batch_ = next_;
    next_ += next.size();
    return next.size();
  }
  const Names& names() const override { return names_; }
  // The event's location, if it has one.
  Position position_of(std::size_t offset) const override {
    const LocId location = events_[batch_ + offset].loc();
    if (location.is_none()) return {"memory", batch_ + offset + 1};
    return {std::string(names_.locations.name(location.v))};
  }
  Result<EventIndex> seek(EventIndex target) override {
    next_ = target;
    return target;
  }
  void want_locations(bool) override {}

 private:
  std::span<const Event> events_;
  const Names& names_;
  std::size_t next_ = 0;
  std::size_t batch_ = 0;
};

}  // namespace omnium
