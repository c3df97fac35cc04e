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
  if (readers.is_nobody()) return;
  if (readers.is_list()) {
    for (const std::atomic<Epoch>& reader : reader_lists.at(readers.number()).readers) {
      const Epoch epoch = reader.load(std::memory_order_acquire);
      if (epoch != 0) visit(epoch);
    }
    return;
  }
  if (!readers.is_set()) {
    visit(readers.epoch());
    return;
  }
  const std::uint32_t* epochs = rows.words(readers.row());
  for (std::size_t i = 0, count = rows.size(readers.row()); i < count; ++i) visit(epochs[i]);
}

inline bool is_mine(const ThreadState& thread, Epoch epoch) {
  return slot_of(epoch) == thread.slot || owner_of(epoch) == &thread;
}

bool contains_thread(Readers readers, const ThreadState& thread);

// Adds the thread's current epoch to the readers, and removes dead ones. `words` is how many words
// have these readers together: they may become a list for 1 or 2 words, and with 0 they do not.
Readers add_reader(Readers readers, ThreadState& thread, std::uint32_t words);

// Replaces the thread's older epoch in the list by the current one. False if there is none.
bool renew_in_list(ReaderList& list, const ThreadState& thread);

// The readers without dead ones, as a set of the current generation or a single epoch. If `self` is
// not null, its epochs are removed as well. `added` is added if it is not 0.
Readers refreshed(Readers readers, const ThreadState* self, Epoch added);

// Turns a list into a set, which several words or single bytes may have.
inline Readers without_list(Readers readers) {
  return readers.is_list() ? refreshed(readers, nullptr, 0) : readers;
}

}  // namespace omnium::runtime
