// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The locks that a thread holds, in the order in which it took them. Only a debugger looks at them
// (events/debugger.cc).
#pragma once

#include <cstdint>

#include "runtime/state/code.h"
#include "wire/protocol.h"

namespace omnium::runtime {

struct HeldLock {
  std::uint64_t lock;
  Pc pc;
  std::uint64_t kind;  // an EntryKind: how it was taken
};

class HeldLocks {
 public:
  static constexpr std::uint32_t kMost = 16;

  void clear() { count_ = 0; }
  std::uint32_t count() const { return count_; }
  void add(std::uint64_t lock, wire::EntryKind kind, Pc pc) {
    if (count_ < kMost) locks_[count_] = {lock, pc, static_cast<std::uint64_t>(kind)};
    ++count_;
  }
  // A lock that is not in the list is one that found no room, or another thread took it.
  void remove(std::uint64_t lock) {
    const std::uint32_t listed = count_ < kMost ? count_ : kMost;
    std::uint32_t place = listed;
    while (place > 0 && locks_[place - 1].lock != lock) --place;
    if (place == 0 && count_ <= kMost) return;
    --count_;
    if (place == 0) return;
    for (std::uint32_t i = place; i < listed; ++i) locks_[i - 1] = locks_[i];
  }

 private:
  friend struct DebuggerTable;

  std::uint32_t count_;  // those without room included
  HeldLock locks_[kMost];
};

}  // namespace omnium::runtime
