// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where several threads meet, one of them writing: serial runs have points there.
#pragma once

#include <set>

#include "hunt/places.h"
#include "predict/loaded_trace.h"

namespace omnium::hunt {

std::set<Code> shared_places(const predict::LoadedTrace& trace, const Names& names,
                             const Places& places);

}  // namespace omnium::hunt
