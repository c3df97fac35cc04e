// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which memory do threads share? Each group of eight bytes falls into the pieces that accesses cut
// it into, from its first access until it is forgotten (a "life" of the group). Lives of one
// thread, and those whose accesses forks and joins put in order anyway, need no variables: all that
// depends on them depends on these as well.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "decode/raw_log.h"

namespace omnium::decode {

// The lives of the groups of a page that are shared.
struct PageLives {
  struct Life {
    std::uint64_t number = 0;  // among the lives in the page, by their first accesses
    std::uint8_t cuts = 0;     // bit i: a piece starts at byte i
  };
  std::vector<Life> shared;  // by number
  std::uint64_t begun = 0;   // lives so far
};
using SharedLives = std::unordered_map<std::uint64_t, PageLives>;  // by number of the page

// Looks at all records in order; memory holds the groups that live, and the shared lives.
Result<SharedLives> find_shared_lives(RawLog& log);

}  // namespace omnium::decode
