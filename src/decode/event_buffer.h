// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Events that wait to be handed out. Each is written in place, field by field: to put an event
// together elsewhere and copy it as a whole would stall on the stores of its fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "event/event.h"

namespace omnium::decode {

class EventBuffer {
 public:
  void add(Kind kind, std::uint16_t thread, std::uint32_t object, std::uint32_t location) {
    if (size_ == events_.size()) [[unlikely]]
      events_.resize(2 * size_ + kFirstSize);
    Event& event = events_[size_++];
    event.kind = kind;
    event.thread_id = thread;
    event.object = object;
    event.loc_id = location;
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  std::uint32_t object(std::size_t i) const { return events_[i].object; }
  std::span<const Event> events() const { return std::span(events_).first(size_); }

 private:
  static constexpr std::size_t kFirstSize = 4096;

  std::vector<Event> events_;
  std::size_t size_ = 0;
};

}  // namespace omnium::decode
