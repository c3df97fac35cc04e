// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Live dependencies of a thread that have no effect: all that reaches their sources has reached the
// thread already (docs/runtime/online.md, "Known dependencies"). A thread that reads what another
// one wrote in its open transaction has one for each word, and only the first of them matters.
#pragma once

#include <cstdint>

namespace omnium::runtime {

// What is known of dependencies from one other thread.
struct KnownSource {
  std::uint64_t state;     // of the reach engine when this was found out; 0: nothing is known
  std::uint64_t from, to;  // the times of their sources
  std::uint64_t begin;     // of the refuted block
  std::uint32_t thread;    // index of the thread that they come from
  std::uint32_t depth;     // if not 0: only while the refuted block at this depth is open
};

class KnownSources {
 public:
  KnownSource& of(std::uint32_t thread) { return entries_[thread % kEntries]; }

 private:
  static constexpr std::uint32_t kEntries = 16;
  KnownSource entries_[kEntries];
};

}  // namespace omnium::runtime
