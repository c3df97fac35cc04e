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
  if (count <= 1) return count == 0 ? 0 : kept[0];
  // Sorted, so that equal sets are equal rows whatever the order of their readers.
  for (std::size_t i = 1; i < count; ++i) {
    for (std::size_t j = i; j > 0 && kept[j - 1] > kept[j]; --j) {
      const std::uint32_t larger = kept[j - 1];
      kept[j - 1] = kept[j];
      kept[j] = larger;
    }
  }
  const std::uint32_t row = rows.intern(kept, count);
  if (row != 0) return kSetBit | row;
  count_forgotten();
  return added != 0 ? added : kept[0];
}

namespace {

// A set that only these words have, and that changes: the next one would be theirs alone, too.
Readers make_list(Readers set, ThreadState& thread, std::uint32_t words) {
  const std::uint32_t number = reader_lists.take(words);
  if (number == 0) return 0;
  ReaderList& list = reader_lists.at(number);
  bool all = list.add(thread.now, thread.index);
  for_each_reader(set, [&](Epoch epoch) {
    if (is_mine(thread, epoch) || !is_live(thread, epoch)) return;
    all = list.add(epoch, owner_of(epoch)->index) && all;
  });
  return all ? number | kListBit : 0;
}

}  // namespace

bool renew_in_list(ReaderList& list, const ThreadState& thread) {
  std::atomic<Epoch>* mine = list.find(thread, thread.slot, thread.index);
  if (mine == nullptr) return false;
  // Others may take an entry that is dead.
  Epoch epoch = mine->load(std::memory_order_acquire);
  return is_mine(thread, epoch) && mine->compare_exchange_strong(epoch, thread.now);
}

Readers add_reader(Readers readers, ThreadState& thread, std::uint32_t words) {
  if ((readers & kListBit) != 0) {
    ReaderList& list = reader_lists.at(readers & ~kListBit);
    if (list.words == 1 && words <= 1 &&
        (renew_in_list(list, thread) || list.add(thread.now, thread.index))) {
      return readers;
    }
    return refreshed(readers, &thread, thread.now);
  }
  ReaderCache::Line& line = thread.readers.lines[readers % 64];
  const bool usable = (line.after & kSetBit) == 0 || rows.is_current(line.after & ~kSetBit);
  if (line.before == readers && line.epoch == thread.now && usable) {
    // Another word gets it, not the same one once more.
    if (line.after != readers && (line.after & kSetBit) != 0) {
      rows.use_again(line.after & ~kSetBit);
    }
    return line.after;
  }
  if (words != 0 && (readers & kSetBit) != 0 && !rows.is_used_again(readers & ~kSetBit)) {
    if (const Readers list = make_list(readers, thread, words); list != 0) return list;
  }
  const Readers after = refreshed(readers, &thread, thread.now);
  line = {readers, thread.now, after};
  if ((after & kSetBit) != 0) thread.readers.lines[after % 64] = {after, thread.now, after};
  return after;
}

}  // namespace omnium::runtime
