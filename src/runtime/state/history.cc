// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/state/history.h"

#include "runtime/system/mapped.h"

namespace omnium::runtime {

void History::map() {
  if (entries_ != nullptr) return;
  entries_ = map_array<Packed>(kCapacity);
  stamps_ = map_array<std::uint64_t>(kCapacity);
}

void History::stamp_last() {
  if (count() == 0) return;
  const std::uint64_t last = (count() - 1) % kCapacity;
  stamps_[last] = __rdtsc();
  std::atomic_ref(entries_[last].object)
      .store(entries_[last].object | kStamped, std::memory_order_release);
}

HistoryEntry History::at(std::uint64_t index, std::uint64_t now) const {
  constexpr std::uint64_t kAddress = (std::uint64_t{1} << 48) - 1;
  const Packed packed = entries_[index % kCapacity];
  const bool stamped = (packed.object & kStamped) != 0;
  return {packed.object & kAddress,
          packed.pc & kAddress,
          now - ((now - (packed.pc >> 48)) & 0xFFFF),
          stamped ? stamps_[index % kCapacity] : 0,
          static_cast<wire::EntryKind>(packed.object >> 48 & 127),
          static_cast<std::uint8_t>(packed.object >> 56)};
}

}  // namespace omnium::runtime
