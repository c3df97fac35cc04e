// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What it would take to hold a lock from the first access of a cycle to the last, where each access
// held it, but not from one to the other.
#pragma once

#include "event/names.h"
#include "finding/explanation.h"

namespace omnium {

struct LongerSection {
  // One function makes both accesses, the first one above the second: then it can hold the lock
  // from the one to the other. Otherwise a function around them has to.
  bool in_order = true;
  // A function gives the lock up here and takes it again there: perhaps on purpose, because what it
  // does in between is slow. None if it is not one function that does both.
  LocId given_up, taken_again;
};

// Of a picture with a lock that was held at every access.
LongerSection longer_section(const Picture& picture, const Names& names);

}  // namespace omnium
