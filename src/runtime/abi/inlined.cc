// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The slow path of accesses whose fast path is inlined into the program (src/assembler): called if
// the access is no repetition.
#include "wire/inlined.h"

#include <cstddef>

#include "runtime/abi/exported.h"
#include "runtime/events/access.h"
#include "runtime/events/events.h"
#include "runtime/state/library_code.h"

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

// `cells` are those of the address, if that is aligned. In functions of the C++ library's headers
// the place of the access is the line of the program that called them.
#define OMNIUM_SLOW_ACCESS(function, access, size, write, pc)                                   \
  OMNIUM_EXPORTED void function(std::uintptr_t address, AtomicCell* cells, ThreadState& thread) \
      __asm__(OMNIUM_INLINED_SLOW(access));                                                     \
  void function(std::uintptr_t address, AtomicCell* cells, ThreadState& thread) {               \
    on_unrepeated_access<size, write>(address, pc, thread, cells);                              \
  }
#define OMNIUM_SLOW_ACCESSES(size)                                                                 \
  OMNIUM_SLOW_ACCESS(slow_read##size, "read" #size, size, false, OMNIUM_CALLER_PC())               \
  OMNIUM_SLOW_ACCESS(slow_write##size, "write" #size, size, true, OMNIUM_CALLER_PC())              \
  OMNIUM_SLOW_ACCESS(library_read##size, "library_read" #size, size, false, OMNIUM_USER_PC())      \
  OMNIUM_SLOW_ACCESS(library_write##size, "library_write" #size, size, true, OMNIUM_USER_PC())

// Small accesses have no fast path in the program.
#define OMNIUM_SMALL_ACCESS(function, access, size, write)                                      \
  OMNIUM_EXPORTED void function(const void* address) __asm__(OMNIUM_INLINED_SLOW(access));      \
  void function(const void* address) { on_access<size, write>(address, OMNIUM_USER_PC()); }

OMNIUM_SMALL_ACCESS(library_read1, "library_read1", 1, false)
OMNIUM_SMALL_ACCESS(library_write1, "library_write1", 1, true)
OMNIUM_SMALL_ACCESS(library_read2, "library_read2", 2, false)
OMNIUM_SMALL_ACCESS(library_write2, "library_write2", 2, true)
OMNIUM_SLOW_ACCESSES(4)
OMNIUM_SLOW_ACCESSES(8)
OMNIUM_SLOW_ACCESSES(16)

}  // namespace omnium::runtime
