// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Memory directly from the kernel. It reads as zeros and takes room only where it is written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace omnium::runtime {

// Ends the program with a message if there is not enough memory.
void* map_memory(std::size_t bytes);
// Maps memory at a fixed address. Ends the program with a message if the range is not free.
void map_memory_at(std::uintptr_t address, std::size_t bytes);

template <typename T>
T* map_array(std::size_t count) {
  return static_cast<T*>(map_memory(count * sizeof(T)));
}

// Gives the pages back to the kernel. The memory reads as zeros again.
void clear_pages(void* address, std::size_t bytes);

}  // namespace omnium::runtime
