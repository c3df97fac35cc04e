// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Events in memory as a source like any other: runs of models, predicted interleavings.
#pragma once

#include <algorithm>

#include "event/names.h"
#include "event/source.h"

namespace omnium {

// Events and names must outlive it.
class MemorySource : public EventSource {
 public:
  MemorySource(std::span<const Event> events, const Names& names)
      : events_(events), names_(names) {}

  Result<std::size_t> read(std::span<Event> out) override {
    const std::size_t count = std::min(out.size(), events_.size() - next_);
    std::copy_n(events_.begin() + static_cast<std::ptrdiff_t>(next_), count, out.begin());
    batch_ = next_;
    next_ += count;
    return count;
  }
  const Names& names() const override { return names_; }
  // The place in the program, where there is one.
  Position position_of(std::size_t offset) const override {
    const LocId loc = events_[batch_ + offset].loc();
    if (loc.is_none()) return {"memory", batch_ + offset + 1};
    return {std::string(names_.locations.name(loc.v))};
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
