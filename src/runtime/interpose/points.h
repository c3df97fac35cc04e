// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The points of interposed functions (schedule/point.h). A macro, since the place of the caller is
// looked up only if there are points.
#pragma once

#include "runtime/interpose/real.h"
#include "runtime/schedule/point.h"

#define OMNIUM_BEFORE_ACQUIRE(object) \
  if (points_matter) [[unlikely]]     \
  before_acquire(object, OMNIUM_USER_PC())
