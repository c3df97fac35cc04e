// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Takes blocks that ought not to be atomic out of a stream of events: their begin and end become
// kSkip, so that the blocks inside them become the outermost ones.
#pragma once

#include <span>
#include <vector>

#include "event/event.h"
#include "event/names.h"
#include "spec/specification.h"

namespace omnium {

class BlockFilter {
 public:
  explicit BlockFilter(const Specification& specification) : specification_(specification) {}

  // May start in the middle of a trace: an end whose begin was not seen is taken out.
  void apply(std::span<Event> events, const Names& names);

 private:
  bool keeps(LabelId label, const Names& names);

  const Specification& specification_;
  enum class Verdict : std::uint8_t { kUnknown, kKept, kTakenOut };
  std::vector<Verdict> labels_;
  std::vector<std::vector<bool>> open_;  // per thread, outermost first: is the block kept?
};

}  // namespace omnium
