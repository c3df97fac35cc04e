// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where a loaded module lies in memory.
#pragma once

#include <link.h>

#include "runtime/state/code.h"

namespace omnium::runtime {

struct ModuleExtent {
  Pc begin = ~Pc{0}, end = 0;  // of nothing, if no part of it is loaded
};

inline ModuleExtent extent_of(const dl_phdr_info& info) {
  ModuleExtent extent;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& part = info.dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const Pc begin = info.dlpi_addr + part.p_vaddr;
    if (begin < extent.begin) extent.begin = begin;
    if (begin + part.p_memsz > extent.end) extent.end = begin + part.p_memsz;
  }
  return extent;
}

}  // namespace omnium::runtime
