// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A step of Velodrome: a node of the transaction graph and a time within it, in 64 bits
// | slot 28 | time 36 |. The paper splits 16/48; a long transaction can keep millions of nodes
// alive.
//
// Times are event indices. They grow along each thread and across the recycling of a slot, so a
// step whose time lies before the birth of its slot's node speaks of a node that is gone: it is
// weak, and means bottom.
#pragma once

#include <cstdint>

#include "event/event.h"

namespace omnium {

class Step {
 public:
  using Slot = std::uint32_t;
  static constexpr int kTimeBits = 36;
  static constexpr EventIndex kMaxTime = (EventIndex{1} << kTimeBits) - 1;
  static constexpr Slot kMaxSlots = (Slot{1} << (64 - kTimeBits)) - 1;  // the last one is bottom's

  constexpr Step() = default;  // bottom
  constexpr Step(Slot slot, EventIndex time) : bits_(std::uint64_t{slot} << kTimeBits | time) {}

  constexpr bool is_bottom() const { return bits_ == kBottom; }
  constexpr Slot slot() const { return static_cast<Slot>(bits_ >> kTimeBits); }
  constexpr EventIndex time() const { return bits_ & kMaxTime; }
  friend constexpr bool operator==(Step, Step) = default;

 private:
  static constexpr std::uint64_t kBottom = ~std::uint64_t{0};

  std::uint64_t bits_ = kBottom;
};

}  // namespace omnium
