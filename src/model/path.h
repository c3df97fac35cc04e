// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// From a state back to the beginning: the events of a shortest run that leads to it.
//
// Nothing is stored for this. The levels are walked backwards and their states expanded again until
// the one before is found; of several, the one whose packed form is least is taken, so that the run
// does not depend on which worker came first.
#pragma once

#include <cstdint>
#include <vector>

#include "model/expander.h"
#include "model/levels.h"
#include "model/visited.h"

namespace omnium::model {

struct Path {
  std::vector<RunEvent> events;
  std::vector<std::uint32_t> names;  // thread i of the last state is thread names[i] of the run
};

// `state` is in `level`.
Path path_to(const std::vector<std::byte>& state, std::size_t level, const Space& space,
             const Visited& visited, const Levels& levels, std::uint32_t workers);

// The events with the threads' names in the run.
void append_renamed(const std::vector<RunEvent>& events, const std::vector<std::uint32_t>& names,
                    std::vector<RunEvent>& out);

}  // namespace omnium::model
