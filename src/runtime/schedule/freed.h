// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Heap memory that was freed (docs/hunting.md). In a run with points it is kept for a while instead
// of being given to somebody else, so whoever uses it or frees it again is found, and ended.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/schedule/point.h"

namespace omnium::runtime {

// Keeps the block, unless it is large. False: the caller has to free it. Blocks that were kept for
// long enough go to `release`.
bool keep_freed(void* block, std::size_t size, Pc pc, void (*release)(void*));

// Exists while a thread frees a block or gives it another size: who does that to a freed block
// frees it twice. Ends the program if it was freed already.
class Freeing {
 public:
  Freeing(const void* block, Pc pc);
  ~Freeing();
  Freeing(const Freeing&) = delete;
  Freeing& operator=(const Freeing&) = delete;
};

// Ends the program if this memory was freed.
void expect_not_freed(const Point& point);

// In the child of a fork: the lock may be held by a thread that it does not have.
void stop_keeping_freed();

}  // namespace omnium::runtime
