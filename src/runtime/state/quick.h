// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The contents of shadow cells that an access of the thread would leave as they are now. The fast
// path that is inlined into programs compares cells with these (wire/inlined.h).
#pragma once

#include <cstdint>

namespace omnium::runtime {

inline constexpr std::uint64_t kNoCell = ~std::uint64_t{0};

struct Quick {
  std::uint64_t now;      // all bytes written and read at the current time; compared half by half
  std::uint64_t known;    // a cell that a read of the whole word leaves as it is
  std::uint64_t written;  // all bytes written at the current time and not read since
  std::uint64_t idle;     // a cell that no access changes
  // For a recorded thread: the second word of a cell (record/cell.h) that a read leaves as it is.
  std::uint64_t read;       // the thread has read all bytes in its current period
  std::uint64_t read_last;  // several threads have; the last such word that a read found
};
// No cell equals any of these, in whole or in either half with its form: no cell has form 15.
inline constexpr Quick kNothingIsQuick{kNoCell, kNoCell, kNoCell, kNoCell, kNoCell, kNoCell};

}  // namespace omnium::runtime
