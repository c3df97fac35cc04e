// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A thread naps so that others may overtake it. Where no thread of the process can use the time, it
// is not spent: the clock jumps (runners.h).
#pragma once

#include <cstdint>

namespace omnium::runtime {

// Returns how long it was, in nanoseconds of the clock that jumps.
std::uint64_t nap_for(std::uint32_t micros);

}  // namespace omnium::runtime
