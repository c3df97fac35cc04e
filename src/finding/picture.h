// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which events of a cycle to draw, and where its window opens and closes.
#pragma once

#include <vector>

#include "finding/excerpt.h"
#include "finding/explanation.h"
#include "finding/finding.h"

namespace omnium {

inline constexpr std::size_t kMostRows = 64;

// The events of the steps, and the critical sections that they are in; then the window. `block`
// takes the place of its transaction in the steps.
Picture draw(const BlockRef& block, std::vector<WitnessStep> steps, const Excerpt& excerpt);

// Rows in the order of their events, each once.
void sort_rows(Picture& picture);

}  // namespace omnium
