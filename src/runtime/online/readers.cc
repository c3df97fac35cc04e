// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/readers.h"

#include "runtime/system/channel.h"

namespace omnium::runtime {

bool contains_thread(Readers readers, const ThreadState& thread) {
  bool found = false;
  for_each_reader(readers, [&](Epoch epoch) { found |= is_mine(thread, epoch); });
  return found;
}

Readers refreshed(Readers readers, const ThreadState* self, Epoch added) {
  std::uint32_t kept[kMaxRow];
  std::size_t count = 0;
  for_each_reader(readers, [&](Epoch epoch) {
    if (self != nullptr && is_mine(*self, epoch)) return;
    if (count < kMaxRow - 1 && is_live(epoch)) kept[count++] = epoch;
  });
  if (added != 0) kept[count++] = added;
  if (count <= 1) return count == 0 ? Readers() : Readers(kept[0]);
  // Sorted, so that equal sets are equal rows.
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t j = i; j > 0 && kept[j - 1] > kept[j]; --j) {
      const std::uint32_t larger = kept[j - 1];
      kept[j - 1] = kept[j];
      kept[j] = larger;
    }
  }
  const std::uint32_t row = rows.intern(kept, count);
  if (row != 0) return Readers::set(row);
  count_forgotten();
  return Readers(added != 0 ? added : kept[0]);
}

namespace {

// A set that so few words have is turned into lists: the next set would be theirs alone as well.
// (A matrix that several threads read again in each block has few sets, and would have many lists.)
constexpr std::uint32_t kFewWords = 4;

// Turns a set into a list. Returns nobody if there is no room.
Readers make_list(Readers set, ThreadState& thread, std::uint32_t words) {
  const std::uint32_t number = reader_lists.take(words);
  if (number == 0) return Readers();
  ReaderList& list = reader_lists.at(number);
  bool all = list.add(thread.now, thread.index);
  for_each_reader(set, [&](Epoch epoch) {
    if (is_mine(thread, epoch) || !is_live(thread, epoch)) return;
    all = list.add(epoch, owner_of(epoch)->index) && all;
  });
  return all ? Readers::list(number) : Readers();
}

}  // namespace

bool renew_in_list(ReaderList& list, const ThreadState& thread) {
  std::atomic<Epoch>* mine = list.find(thread, thread.slot, thread.index);
  if (mine == nullptr) return false;
  // Other threads may take the entry if it is dead.
  Epoch epoch = mine->load(std::memory_order_acquire);
  return is_mine(thread, epoch) && mine->compare_exchange_strong(epoch, thread.now);
}

Readers add_reader(Readers readers, ThreadState& thread, std::uint32_t words) {
  if (readers.is_list()) {
    ReaderList& list = reader_lists.at(readers.number());
    if (list.words == 1 && words <= 1 &&
        (renew_in_list(list, thread) || list.add(thread.now, thread.index))) {
      // The cell stays as it is, but other threads see the current time in the list.
      thread.set_state(kDirty, true);
      return readers;
    }
    return refreshed(readers, &thread, thread.now);
  }
  ReaderCache::Line& line = thread.readers.lines[readers.word() % 64];
  const Readers known = Readers(line.after);
  const bool usable = !known.is_set() || rows.is_current(known.row());
  if (line.before == readers.word() && line.epoch == thread.now && usable) {
    // The set gets into another cell now.
    if (known != readers && known.is_set()) rows.use_again(known.row());
    return known;
  }
  if (words != 0 && readers.is_set() && rows.uses(readers.row()) <= kFewWords) {
    if (const Readers list = make_list(readers, thread, words); list.is_list()) return list;
  }
  const Readers after = refreshed(readers, &thread, thread.now);
  line = {readers.word(), thread.now, after.word()};
  if (after.is_set()) {
    thread.readers.lines[after.word() % 64] = {after.word(), thread.now, after.word()};
  }
  return after;
}

}  // namespace omnium::runtime
