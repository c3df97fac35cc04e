// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The slow path of accesses whose fast path is inlined into the program (src/assembler): called if
// the access is no repetition.
#include "wire/inlined.h"

#include <cstddef>

#include "runtime/abi/exported.h"
#include "runtime/events/access.h"
#include "runtime/events/events.h"

namespace omnium::runtime {

static_assert(wire::inlined::kShadowBase == kShadowBase &&
              wire::inlined::kHalfBits == Field::kBits &&
              (std::uint64_t{1} << wire::inlined::kAddressBits) - 1 == kFolded);
static_assert(offsetof(ThreadState, quick) == 0 && offsetof(Quick, now) == wire::inlined::kNow &&
              offsetof(Quick, known) == wire::inlined::kKnown &&
              offsetof(Quick, written) == wire::inlined::kWritten &&
              offsetof(Quick, idle) == wire::inlined::kIdle &&
              offsetof(Quick, read) == wire::inlined::kRead &&
              offsetof(Quick, read_last) == wire::inlined::kReadLast);

// `cells` are those of the address, if that is aligned.
#define OMNIUM_SLOW_ACCESSES(size)                                                        \
  OMNIUM_EXPORTED void slow_read##size(                                                   \
      std::uintptr_t address, AtomicCell* cells,                                          \
      ThreadState& thread) __asm__(OMNIUM_INLINED_SLOW("read" #size));                    \
  void slow_read##size(std::uintptr_t address, AtomicCell* cells, ThreadState& thread) {  \
    on_unrepeated_access<size, false>(address, OMNIUM_USER_PC(), thread, cells);          \
  }                                                                                       \
  OMNIUM_EXPORTED void slow_write##size(                                                  \
      std::uintptr_t address, AtomicCell* cells,                                          \
      ThreadState& thread) __asm__(OMNIUM_INLINED_SLOW("write" #size));                   \
  void slow_write##size(std::uintptr_t address, AtomicCell* cells, ThreadState& thread) { \
    on_unrepeated_access<size, true>(address, OMNIUM_USER_PC(), thread, cells);           \
  }

OMNIUM_SLOW_ACCESSES(4)
OMNIUM_SLOW_ACCESSES(8)
OMNIUM_SLOW_ACCESSES(16)

}  // namespace omnium::runtime
