// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Which locks guard something, where locks do not conflict (docs/algorithms/lowering.md): those
// with an access in one of their sections. Lowering follows them, or the thread that reads ahead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "event/event.h"
#include "support/id.h"

namespace omnium {

class LockUses {
 public:
  void grow_to(const Extent& extent) {
    threads_.grow_to(extent.threads);
    locks_.grow_to(extent.locks);
  }

  // t has accessed something, if indeed it has.
  void accessed(ThreadId t, bool indeed = true) { threads_[t].accesses += indeed; }

  void taken(ThreadId t, LockId lock, bool shared) {
    Lock& use = locks_[lock];
    if (use.user.is_none()) use.user = t;
    use.several_users |= use.user != t;
    if (shared) {
      threads_[t].shared_sections.emplace_back(lock, threads_[t].accesses);
    } else {
      use.accesses = threads_[t].accesses;
    }
  }

  void given_back(ThreadId t, LockId lock, bool shared) {
    Thread& thread = threads_[t];
    std::uint64_t before = locks_[lock].accesses;
    if (shared) {
      auto& sections = thread.shared_sections;
      const auto section = std::ranges::find(sections, lock, &Section::first);
      if (section == sections.end()) return;  // it began before the stretch that is looked at
      before = section->second;
      sections.erase(section);
    }
    locks_[lock].guards |= before != thread.accesses;
  }

  // An event of any kind.
  void event(const Event& event) {
    const bool shared = is_shared_side(event.kind);
    accessed(event.thread(), is_access(event.kind));
    if (takes_lock(event.kind)) taken(event.thread(), event.lock(), shared);
    if (gives_lock_back(event.kind)) given_back(event.thread(), event.lock(), shared);
  }

  // The locks that several threads took and under which nobody has accessed anything so far. Empty
  // if there are none.
  std::vector<bool> without_access() const {
    const auto is_one = [](const Lock& use) { return use.several_users && !use.guards; };
    if (std::ranges::none_of(locks_, is_one)) return {};
    std::vector<bool> out;
    for (const Lock& use : locks_) out.push_back(is_one(use));
    return out;
  }

 private:
  using Section = std::pair<LockId, std::uint64_t>;  // `accesses` at its beginning

  struct Thread {
    std::uint64_t accesses = 0;  // grows if there was an access, by any number
    std::vector<Section> shared_sections;
  };
  struct Lock {
    std::uint64_t accesses = 0;  // of its holder when it was taken
    ThreadId user;               // who took it first
    bool several_users = false;
    bool guards = false;  // something was accessed under it
  };

  IdTable<ThreadId, Thread> threads_;
  IdTable<LockId, Lock> locks_;
};

}  // namespace omnium
