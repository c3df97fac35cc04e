// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// An access as instrumented code makes it: it looks at the shadow first (assembler/rewrite.h), and
// the runtime's short way comes before the general one.
#pragma once

#include <bit>
#include <cstdint>

#include "runtime/record/record.h"

namespace omnium::test {

// What the code decides that is compiled into programs.
inline bool is_quick(const runtime::Quick& quick, std::uintptr_t address, unsigned size,
                     bool write) {
  if (address % 4 != 0 || size < 4) return false;
  const auto& cell = runtime::record::cell_at(address);
  const auto* words = reinterpret_cast<const std::atomic<std::uint64_t>*>(&cell) + address % 8 / 4;
  const std::uint64_t first = words[0].load();
  bool same = true;
  for (unsigned i = 1; i < size / 4; ++i) same &= words[i].load() == first;
  if (same && write) return first == quick.written || first == quick.idle;
  if (write) return false;
  const std::uint64_t other = first ^ quick.now;
  if (same && (first == quick.known || other >> 30 == 0 || std::rotl(other, 4) << 30 == 0)) {
    return true;
  }
  return size == 8 && (words[1].load() == quick.read || words[1].load() == quick.read_last);
}

template <unsigned kSize>
void access_as_instrumented(runtime::record::ThreadLog& log, std::uintptr_t address, bool write,
                            bool alone, std::uint64_t place) {
  if (write) {
    runtime::record::access_cell<kSize, true>(log, address, alone, place);
  } else {
    runtime::record::access_cell<kSize, false>(log, address, alone, place);
  }
}

// `alone`: nobody else changes the cell now.
inline void access_as_instrumented(runtime::record::ThreadLog& log, const runtime::Quick& quick,
                                   const void* pointer, unsigned size, bool write, bool alone,
                                   std::uint64_t place) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (is_quick(quick, address, size, write)) return;
  if (address % 8 + size > 8) return runtime::record::access(log, pointer, size, write, place);
  switch (size) {
    case 1: return access_as_instrumented<1>(log, address, write, alone, place);
    case 2: return access_as_instrumented<2>(log, address, write, alone, place);
    case 4: return access_as_instrumented<4>(log, address, write, alone, place);
    case 8: return access_as_instrumented<8>(log, address, write, alone, place);
    default: return runtime::record::access(log, pointer, size, write, place);
  }
}

}  // namespace omnium::test
