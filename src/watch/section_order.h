// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where an access of another thread comes that has no stamp: not inside a critical section that
// accesses the same memory, if it can be before or after it. The locks that the other thread held
// have been overwritten, and a picture in which nobody seems to hold the lock would be wrong.
#pragma once

#include <utility>
#include <vector>

#include "watch/history.h"

namespace omnium::watch {

// Items and what has to come after them. They contradict neither the steps nor the stamps.
std::vector<std::pair<ItemIndex, ItemIndex>> section_order(const Histories& histories);

}  // namespace omnium::watch
