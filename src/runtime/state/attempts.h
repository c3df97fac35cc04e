// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Whether the open part of a thread's block came to nothing so far, so that a failed attempt may
// start afresh (docs/semantics.md#waiting-and-retrying). "Noticed" means that an event of another
// thread conflicted with an earlier event of the part. Atomic loads of a variable and failed
// attempts on it do not count if the next attempt is on the same variable.
//
// Everything here is about the part that began at `start`. What an earlier part left behind has
// another start and is ignored, so that the begin of a block has nothing to do. (If two parts have
// the same start, no other thread has seen the first one.)
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/state/epoch.h"

namespace omnium::runtime {

struct AtomicVariable {
  std::uintptr_t address = 0;
  std::uintptr_t size = 0;

  bool contains(std::uintptr_t begin, std::uintptr_t bytes) const {
    return address <= begin && begin + bytes <= address + size;
  }
  friend bool operator==(const AtomicVariable&, const AtomicVariable&) = default;
};

class Attempts {
 public:
  void clear() {
    listed_.store(kNotReached, std::memory_order_relaxed);
    noticed_ = kNotReached;
  }

  // Called by the thread itself, while the cells of the variable are locked: a thread that finds
  // the read in a cell finds it here as well.

  // Has the part only attempted this variable?
  bool contains(std::uint64_t start, AtomicVariable variable) const {
    return find(start, variable.address, variable.size) == variable;
  }
  // It does now. If there is no room, the read counts like any other.
  void add(std::uint64_t start, AtomicVariable variable) {
    if (listed_.load(std::memory_order_relaxed) != start) {
      count_.store(0, std::memory_order_relaxed);
      listed_.store(start, std::memory_order_release);
    }
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    if (count == kMost) return;
    places_[count].size.store(variable.size, std::memory_order_relaxed);
    places_[count].address.store(variable.address, std::memory_order_relaxed);
    count_.store(count + 1, std::memory_order_release);
  }
  // The part writes to the variable.
  void remove(std::uint64_t start, AtomicVariable written) {
    if (listed_.load(std::memory_order_relaxed) != start) return;
    for (std::uint32_t i = 0; i < count_.load(std::memory_order_relaxed); ++i) {
      const AtomicVariable variable = at(i);
      if (variable.address < written.address + written.size &&
          written.address < variable.address + variable.size) {
        places_[i].size.store(0, std::memory_order_relaxed);
      }
    }
  }

  // Called under the lock of the reach engine, which keeps the part open.

  // Another thread's event conflicts with the part. If all that the part did to these bytes is to
  // read them, `only_read` is true.
  void notice(std::uint64_t start, std::uintptr_t address, std::size_t size, bool only_read) {
    const AtomicVariable attempted =
        only_read && size != 0 ? find(start, address, size) : AtomicVariable();
    const bool again = noticed_ == start;
    if (!again) more_ = false;
    if (attempted.size == 0 || (again && attempted != attempted_)) more_ = true;
    attempted_ = attempted;
    noticed_ = start;
  }
  // Is the part noticed whatever the next attempt is on, so that it cannot be noticed any more?
  bool is_noticed(std::uint64_t start) const { return noticed_ == start && more_; }
  // Did nobody notice the part, but for attempts on this variable?
  bool unnoticed(std::uint64_t start, AtomicVariable variable) const {
    return noticed_ != start || (!more_ && attempted_ == variable);
  }

 private:
  static constexpr std::uint32_t kMost = 8;
  struct Place {
    std::atomic<std::uintptr_t> address, size;  // size 0: removed
  };

  AtomicVariable at(std::uint32_t place) const {
    return {places_[place].address.load(std::memory_order_relaxed),
            places_[place].size.load(std::memory_order_relaxed)};
  }
  // The attempted variable that contains these bytes; of size 0 if there is none.
  AtomicVariable find(std::uint64_t start, std::uintptr_t address, std::size_t size) const {
    if (listed_.load(std::memory_order_acquire) != start) return {};
    const std::uint32_t count = count_.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (const AtomicVariable variable = at(i); variable.contains(address, size)) return variable;
    }
    return {};
  }

  std::atomic<std::uint64_t> listed_ = kNotReached;  // start of the part that the list is about
  std::atomic<std::uint32_t> count_ = 0;
  Place places_[kMost];
  std::uint64_t noticed_ = kNotReached;  // start of the part that was noticed
  bool more_ = false;                    // by more than attempts on one variable
  AtomicVariable attempted_;             // that variable
};

}  // namespace omnium::runtime
