// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A trace in memory as an EventSource.
#pragma once

#include <algorithm>

#include "event/source.h"
#include "tests/support/figure.h"

namespace omnium::test {

class MemorySource final : public EventSource {
 public:
  explicit MemorySource(const Trace& trace) : trace_(trace) {}

  Result<std::size_t> read(std::span<Event> out) override {
    const std::size_t count = std::min(out.size(), trace_.events.size() - next_);
    std::copy_n(trace_.events.begin() + static_cast<std::ptrdiff_t>(next_), count, out.begin());
    batch_ = next_;
    next_ += count;
    return count;
  }
  const Names& names() const override { return trace_.names; }
  Position position_of(std::size_t offset) const override {
    return {"memory", batch_ + offset + 1};
  }
  Result<EventIndex> seek(EventIndex target) override {
    next_ = target;
    return target;
  }
  void want_locations(bool) override {}

 private:
  const Trace& trace_;
  std::size_t next_ = 0;
  std::size_t batch_ = 0;
};

}  // namespace omnium::test
