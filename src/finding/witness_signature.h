// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Witnesses are distinct if they run through other blocks of the program: not other threads,
// objects or times, but other labels or kinds of dependencies.
#pragma once

#include <span>
#include <string>

#include "event/names.h"
#include "finding/finding.h"

namespace omnium {

// Equal for witnesses that are not distinct, also across traces.
std::string witness_signature(std::span<const WitnessStep> witness, const Names& names);

}  // namespace omnium
