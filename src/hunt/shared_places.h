// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where several threads meet, one of them writing: serial runs have points there. Where no lock
// protects what they share, a block can be interrupted: pauses are made there.
#pragma once

#include <set>
#include <string>

#include "hunt/places.h"
#include "predict/loaded_trace.h"

namespace omnium::hunt {

std::set<Code> shared_places(const predict::LoadedTrace& trace, const Names& names,
                             const Places& places);

// Accesses to variables that threads share, while there are several threads, without one lock that
// is held at all of them.
std::set<Code> unprotected_places(const predict::LoadedTrace& trace, const Names& names,
                                  const Places& places);

// As lines of a schedule, not more than one keeps.
std::string text_of_places(const std::set<Code>& places);

}  // namespace omnium::hunt
