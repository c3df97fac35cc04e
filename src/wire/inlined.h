// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What instrumented code knows of the runtime: the quick end of most accesses is part of the
// program itself. The runtime asserts that it is so (runtime/abi/inlined.cc). Where any of it
// changes, the names change with it: objects of another version must not link.
#pragma once

#include <cstdint>

#define OMNIUM_INLINED_THREAD "__omnium_thread_2"
#define OMNIUM_INLINED_SLOW(access) "__omnium_" access "_2"

namespace omnium::wire::inlined {

// Cells of eight bytes for four of the program; of addresses, these low bits count.
inline constexpr std::uint64_t kShadowBase = 0x100000000000;
inline constexpr unsigned kAddressBits = 44;
// The halves of a cell: the last write, the reads since.
inline constexpr unsigned kHalfBits = 30;
// Where the thread keeps the cells that an access does not change.
inline constexpr unsigned kNow = 0, kKnown = 8, kWritten = 16, kIdle = 24, kRead = 32,
                          kReadLast = 40;

}  // namespace omnium::wire::inlined
