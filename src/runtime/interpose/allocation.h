// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Events of heap blocks, for malloc's family and operator new. `pc` is where the program allocates
// or frees.
#pragma once

#include <cstddef>

#include "runtime/events/events.h"

namespace omnium::runtime {

// To free fewer bytes than this writes them (free_range). More are only forgotten: to write them
// would take too long, and what is known of them too much memory.
inline constexpr std::size_t kLargeFree = 256 * 1024;

void* allocate(std::size_t size, Pc pc);
void* allocate_aligned(std::size_t alignment, std::size_t size, Pc pc);
void free_block(void* block, Pc pc);

// Zeroed memory for the runtime, from the program's heap. Only for functions that allocate anyway.
void* allocate_quietly(std::size_t size);
void free_quietly(void* block);

}  // namespace omnium::runtime
