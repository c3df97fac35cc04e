// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Memory straight from the kernel: zeros, present when first written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace omnium::runtime {

// Ends the program with a message if there is none.
void* map_memory(std::size_t bytes);
// The same at a fixed place.
void map_memory_at(std::uintptr_t address, std::size_t bytes);

template <typename T>
T* map_array(std::size_t count) {
  return static_cast<T*>(map_memory(count * sizeof(T)));
}

// Gives the pages back; the memory reads as zeros again.
void clear_pages(void* address, std::size_t bytes);

}  // namespace omnium::runtime
