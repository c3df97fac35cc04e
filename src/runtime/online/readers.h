// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The threads that read a word since it was written.
#pragma once

#include <cstdint>

#include "runtime/shadow/cell.h"
#include "runtime/shadow/reader_lists.h"
#include "runtime/shadow/rows.h"
#include "runtime/state/thread.h"

namespace omnium::runtime {

// Calls visit(epoch) for each reader.
template <typename Visit>
void for_each_reader(Readers readers, Visit visit) {
  if (readers == 0) return;
  if ((readers & kListBit) != 0) {
    for (const std::atomic<Epoch>& reader : reader_lists.at(readers & ~kListBit).readers) {
      const Epoch epoch = reader.load(std::memory_order_acquire);
      if (epoch != 0) visit(epoch);
    }
    return;
  }
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

// The readers with the thread's current epoch; those that cannot matter any more are left out. If
// they become a list it belongs to as many words; to 0 words no list is given.
Readers add_reader(Readers readers, ThreadState& thread, std::uint32_t words);

// Writes the thread's current epoch over its older one; false if there is none.
bool renew_in_list(ReaderList& list, const ThreadState& thread);

// Without the dead ones; sets of an old generation are copied, lists become sets. `self` null:
// nobody is replaced.
Readers refreshed(Readers readers, const ThreadState* self, Epoch added);

// Lists become sets, which several words or single bytes may have.
inline Readers without_list(Readers readers) {
  return (readers & kListBit) != 0 ? refreshed(readers, nullptr, 0) : readers;
}

}  // namespace omnium::runtime
