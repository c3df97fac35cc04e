// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The reduction-based algorithm [Lipton 1975; Flanagan, Freund 2004: Atomizer; Wang, Stoller 6.1].
//
// Acquire and join move right, release and fork move left, race-free accesses move both ways,
// racing accesses not at all. A transaction is atomic if it is right-movers, at most one non-mover,
// left-movers. Access trees already left out what moves both ways: re-entrant and thread-local
// locks, and blocks without a shared access (AcqA*Rel). Locks that are always taken under a common
// guard (protected locks) move both ways, too.
#pragma once

#include <vector>

#include "predict/races.h"

namespace omnium::predict {

struct IrreducibleUnit {
  UnitId unit;
  NodeIndex committed;  // from here on only left-movers are allowed
  NodeIndex offends;    // the first event behind it that is none
};

// By their begin.
std::vector<IrreducibleUnit> find_irreducible(const Forest& forest, const Races& races);

}  // namespace omnium::predict
