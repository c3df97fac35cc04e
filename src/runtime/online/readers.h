// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The threads that read a word since it was written: nobody (0), one epoch, or a set.
#pragma once

#include <cstdint>

#include "runtime/shadow/cell.h"
#include "runtime/shadow/rows.h"
#include "runtime/thread.h"

namespace omnium::runtime {

using Readers = std::uint32_t;  // an epoch, or kSetBit and the number of a row

// Calls visit(epoch) for each reader.
template <typename Visit>
void for_each_reader(Readers readers, Visit visit) {
  if (readers == 0) return;
  if ((readers & kSetBit) == 0) {
    visit(readers);
    return;
  }
  const std::uint32_t row = readers & ~kSetBit;
  const std::uint32_t* epochs = rows.words(row);
  for (std::size_t i = 0, count = rows.size(row); i < count; ++i) visit(epochs[i]);
}

inline bool is_mine(const ThreadState& thread, Epoch epoch) {
  return slot_of(epoch) == thread.slot || owner_of(epoch) == &thread;
}

bool contains_thread(Readers readers, const ThreadState& thread);

// The readers with the thread's current epoch; those that cannot matter any more are left out.
Readers add_reader(Readers readers, ThreadState& thread);

// Without the dead ones; sets of an old generation are copied. `self` null: nobody is replaced.
Readers refreshed(Readers readers, const ThreadState* self, Epoch added);

}  // namespace omnium::runtime
