// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "predict/world.h"

namespace omnium::predict {

const SuspectUnit* World::suspect(const BlockRef& block) {
  if (by_block_.empty()) {
    for (const SuspectUnit& each : suspects()) by_block_[forest.units[each.unit.v].block] = &each;
  }
  const auto known = by_block_.find(block);
  return known == by_block_.end() ? nullptr : known->second;
}

}  // namespace omnium::predict
