// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The same bug has the same id in the next run: made of the labels of the block and of its
// partners, of the objects and of the pattern, never of lines, event indices or thread numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "event/names.h"
#include "finding/finding.h"
#include "finding/pattern.h"

namespace omnium {

// Everything that tells one cause from another, as one string.
std::string cause_key(const BlockRef& block, std::span<const WitnessStep> steps,
                      const Pattern& pattern, const Names& names);

// "av-7f3a12c9"
std::string cause_id(const std::string& key);

// "ns-7f3a12c9", of a cycle without a violating transaction: of its labels in any order.
std::string cycle_id(std::span<const BlockRef> transactions, const Names& names);

}  // namespace omnium
