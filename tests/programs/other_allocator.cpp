// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A program that is linked with another allocator, which has its own malloc_usable_size.
//
// expect: slow_add (with add), lost update on counter.value
// flags: -Wl,--no-as-needed -ljemalloc
#include <malloc.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "lost_update.h"

int main() {
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
