// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "finding/excerpt.h"

namespace omnium {

struct HeldLock {
  std::uint32_t lock;
  bool shared;  // only the shared side
};

// Locks that `thread` surely holds just before `index`: acquired in what was read, and not released
// since. By lock, each once.
std::vector<HeldLock> held_at(ThreadId thread, EventIndex index, const Excerpt& excerpt);

bool contains(const std::vector<HeldLock>& held, std::uint32_t lock);

}  // namespace omnium
