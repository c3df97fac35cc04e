// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The contents of shadow cells that an access now does not change. Code that is compiled into
// programs looks here, too (assembler/rewrite.h).
#pragma once

#include <cstdint>

namespace omnium::runtime {

inline constexpr std::uint64_t kNoCell = ~std::uint64_t{0};

struct Quick {
  std::uint64_t now;      // a whole word both written and read now: reads change neither half
  std::uint64_t known;    // one that a read does not change
  std::uint64_t written;  // one that a write does not change: written now, read by nobody
  std::uint64_t idle;     // one that no access changes
  // While it is recorded: the second of two cells that a read does not change.
  std::uint64_t read;       // read now
  std::uint64_t read_last;  // by several threads, as the last that was read
};
// No cell is like these: of none the form is 15.
inline constexpr Quick kNothingIsQuick{
    std::uint64_t{15} << 60, kNoCell, kNoCell, kNoCell, kNoCell, kNoCell};

}  // namespace omnium::runtime
