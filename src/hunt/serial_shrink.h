// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Makes the schedule of a serial run shorter (delta debugging).
#pragma once

#include <functional>
#include <optional>

#include "hunt/serial_run.h"

namespace omnium::hunt {

// Runs the switches. If the run shows what is wanted: the switches that it really made. Otherwise
// nothing.
using TrySwitches = std::function<std::optional<std::vector<Switch>>(const std::vector<Switch>&)>;

// Switches that show the same, of which none can be left out if `may_go_on` never says no.
std::vector<Switch> shrink(std::vector<Switch> switches, const TrySwitches& try_switches,
                           const std::function<bool()>& may_go_on);

}  // namespace omnium::hunt
