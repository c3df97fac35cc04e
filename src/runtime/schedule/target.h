// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A target of steering: steps, which are accesses of several threads, in the order in which they
// are wanted. Threads are known by the role they play, memory by what the steps have in common:
// neither numbers nor addresses of an earlier run mean anything here. (docs/formats/schedules.md)
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/state/code.h"

namespace omnium::runtime {

// Instructions that have the same place in the source.
struct Codes {
  static constexpr std::size_t kMost = 16;
  Pc pcs[kMost];  // 0: of a module that is not loaded
  std::size_t count;
  Pc addresses[kMost];  // in the modules of these numbers
  std::uint32_t modules[kMost];

  bool has(Pc pc) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (pcs[i] == pc) return true;
    }
    return false;
  }
};

struct TargetStep {
  std::uint32_t role;
  bool reads, writes;  // which kinds of access it may be
  bool acquires;       // it is no access: the thread takes a lock
  Codes access;
  Codes gate;  // where its thread is stopped: it takes a lock that it holds at the access. If
               // empty, at the access
  bool hold;   // then its thread waits until no other one can go on
  bool late;   // it waits a moment longer, so that others get ahead
  int same;    // an earlier step that accesses the same memory; -1: none
};

struct Target {
  static constexpr std::uint32_t kMostSteps = 16, kMostRoles = 8;
  TargetStep steps[kMostSteps];
  std::uint32_t count;
};

// Returns what is wrong with the file; null if nothing is. Then the target has its places.
const char* read_target(const char* path, Target& target);

// Modules were loaded since the target was read. First where they are is looked up, then the target
// gets its places in them.
void find_modules_of_target();
void place_in_modules(Target& target);

// The places of a schedule ("point"): calls `add` for each. Returns the same.
const char* read_places(const char* path, void (*add)(Pc pc));

}  // namespace omnium::runtime
