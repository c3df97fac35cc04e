// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/online/readers.h"

#include "runtime/channel.h"

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

Readers add_reader(Readers readers, ThreadState& thread) {
  ReaderCache::Line& line = thread.readers.lines[readers % 64];
  const bool usable = (line.after & kSetBit) == 0 || rows.is_current(line.after & ~kSetBit);
  if (line.before == readers && line.epoch == thread.now && usable) return line.after;
  const Readers after = refreshed(readers, &thread, thread.now);
  line = {readers, thread.now, after};
  if ((after & kSetBit) != 0) thread.readers.lines[after % 64] = {after, thread.now, after};
  return after;
}

}  // namespace omnium::runtime
