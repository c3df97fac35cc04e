// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "finding/excerpt.h"

namespace omnium {

// Locks that `thread` surely holds just before `index`: acquired in what was read, and not released
// since.
std::set<std::uint32_t> held_at(ThreadId thread, EventIndex index, const Excerpt& excerpt);
// The same, without those of which it holds the shared side.
std::set<std::uint32_t> held_alone_at(ThreadId thread, EventIndex index, const Excerpt& excerpt);

}  // namespace omnium
