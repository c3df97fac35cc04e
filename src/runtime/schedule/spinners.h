// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Threads of a steered run that run, and only look again and again whether something has changed:
// whoever waits for them in vain needs not wait for long.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "runtime/schedule/point.h"

namespace omnium::runtime {

// The calling thread comes to a point, while another one waits for it.
void note_spinning(const Point& point);

// Writes the numbers of those that spin, `most` at most. Returns how many.
std::uint32_t threads_that_spin(pid_t* to, std::uint32_t most);

}  // namespace omnium::runtime
