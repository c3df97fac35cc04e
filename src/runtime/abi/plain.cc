// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The callbacks of the compilers' ThreadSanitizer instrumentation for plain accesses.
#include "runtime/abi/exported.h"
#include "runtime/events/access.h"
#include "runtime/events/events.h"

using omnium::runtime::on_access;

namespace {

template <unsigned kSize>
[[gnu::always_inline]] inline void on_read(const void* address, omnium::runtime::Pc pc) {
  on_access<kSize, false>(address, pc);
}

template <unsigned kSize>
[[gnu::always_inline]] inline void on_write(const void* address, omnium::runtime::Pc pc) {
  on_access<kSize, true>(address, pc);
}

}  // namespace

#define OMNIUM_ACCESS_CALLBACKS(size)                                                         \
  OMNIUM_EXPORTED void __tsan_read##size(void* p) { on_read<size>(p, OMNIUM_CALLER_PC()); }   \
  OMNIUM_EXPORTED void __tsan_write##size(void* p) { on_write<size>(p, OMNIUM_CALLER_PC()); } \
  OMNIUM_EXPORTED void __tsan_volatile_read##size(void* p) {                                  \
    on_read<size>(p, OMNIUM_CALLER_PC());                                                     \
  }                                                                                           \
  OMNIUM_EXPORTED void __tsan_volatile_write##size(void* p) {                                 \
    on_write<size>(p, OMNIUM_CALLER_PC());                                                    \
  }                                                                                           \
  OMNIUM_EXPORTED void __tsan_read_write##size(void* p) {                                     \
    on_read<size>(p, OMNIUM_CALLER_PC());                                                     \
    on_write<size>(p, OMNIUM_CALLER_PC());                                                    \
  }

#define OMNIUM_UNALIGNED_CALLBACKS(size)                                \
  OMNIUM_EXPORTED void __tsan_unaligned_read##size(void* p) {           \
    on_read<size>(p, OMNIUM_CALLER_PC());                               \
  }                                                                     \
  OMNIUM_EXPORTED void __tsan_unaligned_write##size(void* p) {          \
    on_write<size>(p, OMNIUM_CALLER_PC());                              \
  }                                                                     \
  OMNIUM_EXPORTED void __tsan_unaligned_volatile_read##size(void* p) {  \
    on_read<size>(p, OMNIUM_CALLER_PC());                               \
  }                                                                     \
  OMNIUM_EXPORTED void __tsan_unaligned_volatile_write##size(void* p) { \
    on_write<size>(p, OMNIUM_CALLER_PC());                              \
  }                                                                     \
  OMNIUM_EXPORTED void __tsan_unaligned_read_write##size(void* p) {     \
    on_read<size>(p, OMNIUM_CALLER_PC());                               \
    on_write<size>(p, OMNIUM_CALLER_PC());                              \
  }

OMNIUM_ACCESS_CALLBACKS(1)
OMNIUM_ACCESS_CALLBACKS(2)
OMNIUM_ACCESS_CALLBACKS(4)
OMNIUM_ACCESS_CALLBACKS(8)
OMNIUM_ACCESS_CALLBACKS(16)
OMNIUM_UNALIGNED_CALLBACKS(2)
OMNIUM_UNALIGNED_CALLBACKS(4)
OMNIUM_UNALIGNED_CALLBACKS(8)
OMNIUM_UNALIGNED_CALLBACKS(16)

OMNIUM_EXPORTED void __tsan_read_range(void* p, unsigned long size) {
  omnium::runtime::read_range(p, size, OMNIUM_CALLER_PC());
}
OMNIUM_EXPORTED void __tsan_write_range(void* p, unsigned long size) {
  omnium::runtime::write_range(p, size, OMNIUM_CALLER_PC());
}

// Constructors and destructors set the pointer to the virtual table, most often to the value that
// it has already.
OMNIUM_EXPORTED void __tsan_vptr_update(void** vptr, void* value) {
  if (*vptr != value) on_write<8>(vptr, OMNIUM_CALLER_PC());
}
OMNIUM_EXPORTED void __tsan_vptr_read(void** vptr) { on_read<8>(vptr, OMNIUM_CALLER_PC()); }
