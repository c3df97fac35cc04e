// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A trace in which only the first elements of arrays are left [Wang, Stoller 7.1: sampling]: of
// variables with an index in their name, "table[7].count", those with all indices below a limit.
// Atomic accesses stay: they say where blocks are cut. What is found in it is true in the whole
// trace, since events that stay conflict there as well.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "event/source.h"

namespace omnium::trace {

// Has the name an index that is not below `limit`?
bool is_beyond(std::string_view variable, std::uint64_t limit);

class SampledArrays final : public EventSource {
 public:
  // The source must outlive it.
  SampledArrays(EventSource& source, std::uint64_t limit) : source_(source), limit_(limit) {}

  Result<std::size_t> read(std::span<Event> out) override;
  const Names& names() const override { return source_.names(); }
  Position position_of(std::size_t offset) const override {
    return source_.position_of(offsets_[offset]);
  }
  // Only to the start: indices of events are not those of the source.
  Result<EventIndex> seek(EventIndex) override { return source_.seek(0); }
  void want_locations(bool wanted) override { source_.want_locations(wanted); }
  std::vector<std::string> warnings() const override { return source_.warnings(); }

 private:
  enum class Verdict : std::uint8_t { kUnknown, kStays, kGoes };
  bool stays(const Event& event);

  EventSource& source_;
  std::uint64_t limit_;
  std::vector<Verdict> variables_;    // by id
  std::vector<std::size_t> offsets_;  // of the latest events, in the source's latest read()
};

}  // namespace omnium::trace
