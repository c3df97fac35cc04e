// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Where heap blocks were allocated: a table that may lose entries, for reports only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/state/code.h"
#include "wire/protocol.h"

namespace omnium::runtime {

void map_heap_table();
const void* heap_table();  // for a debugger; of entries {address, size, pc, ...}

// These do nothing before the table is mapped.
void add_heap_block(const void* address, std::size_t size, Pc pc, std::uint32_t thread_number);
void remove_heap_block(const void* address);

// The block that contains the address; false if it is not known, or begins farther away.
inline constexpr std::uintptr_t kFarthestBlock = std::uintptr_t{1} << 24;
bool find_heap_block(std::uintptr_t address, wire::HeapBlock& found,
                     std::uintptr_t farthest = kFarthestBlock);

}  // namespace omnium::runtime
