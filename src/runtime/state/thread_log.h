// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What a thread's state holds for the recorder (record/), which alone knows what is in a log.
#pragma once

#include <cstdint>

namespace omnium::runtime::record {

struct ThreadLog;

// What a join must know of a thread that has ended, when its log is gone.
struct ThreadEnd {
  std::uint64_t clock;
  std::uint32_t slot;
  std::uint32_t number;
};

}  // namespace omnium::runtime::record
