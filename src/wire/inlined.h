// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What instrumented code knows of the runtime, since the fast path of accesses is inlined into the
// program. runtime/abi/inlined.cc asserts that the runtime agrees. Whoever changes anything here
// must also change the version in the names below, so that objects of another version do not link.
#pragma once

#include <cstdint>

#define OMNIUM_INLINED_THREAD "__omnium_thread_2"
#define OMNIUM_INLINED_FUNCTIONS "__omnium_functions_2"  // a byte: 0 if hooks need not be called
#define OMNIUM_INLINED_ENTERED "__omnium_entered_2"  // instead of a hook: it begins no block
#define OMNIUM_INLINED_SLOW(access) "__omnium_" access "_2"

namespace omnium::wire::inlined {

// Four bytes of the program have a cell of eight bytes. These low bits of an address count.
inline constexpr std::uint64_t kShadowBase = 0x100000000000;
inline constexpr unsigned kAddressBits = 44;
// How many bits each half of a cell has: one for the last write, one for the reads since.
inline constexpr unsigned kHalfBits = 30;
// Offsets in ThreadState::quick: the contents of cells that an access leaves as they are.
inline constexpr unsigned kNow = 0, kKnown = 8, kWritten = 16, kIdle = 24, kRead = 32,
                          kReadLast = 40;

}  // namespace omnium::wire::inlined
