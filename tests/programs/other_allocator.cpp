// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that is linked with another allocator, which has its own malloc_usable_size.
//
// expect: slow_add (with add), lost update on counter.value
// flags: -Wl,--no-as-needed -ljemalloc
#include <jemalloc/jemalloc.h>
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "lost_update.h"

// Its own functions and the standard ones may be mixed.
bool mixes() {
  auto* block = static_cast<char*>(mallocx(100, MALLOCX_ALIGN(256) | MALLOCX_ZERO));
  if (reinterpret_cast<std::uintptr_t>(block) % 256 != 0 || block[99] != 0) return false;
  std::strcpy(block, "kept");
  block = static_cast<char*>(rallocx(block, 5000, 0));
  if (std::strcmp(block, "kept") != 0 || sallocx(block, 0) < 5000) return false;
  std::free(block);
  dallocx(std::malloc(10), 0);
  sdallocx(std::malloc(10), 10, 0);
  return true;
}

int main() {
  if (!mixes()) return 4;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t size = 1; size < (1 << 20); size *= 2) {
    blocks.push_back(std::make_unique<char[]>(size));
    void* block = std::malloc(size);
    if (malloc_usable_size(block) < size) return 1;
    block = std::realloc(block, 3 * size);
    if (malloc_usable_size(block) < 3 * size) return 2;
    std::free(block);
  }
  if (malloc_usable_size(nullptr) != 0) return 3;
  lose_update();
}
