// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the state of a thread holds for the recorder. Only record/ knows what is in a log.
#pragma once

#include <cstdint>

namespace omnium::runtime::record {

struct ThreadLog;

// What a join must know of a thread that has ended, since its log is given to another thread.
struct ThreadEnd {
  std::uint64_t clock;
  std::uint32_t slot;
  std::uint32_t number;
};

}  // namespace omnium::runtime::record
