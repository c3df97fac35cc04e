// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The latest places from which one call of a function has called others or taken locks. If it comes
// to one of them again, it loops.
#pragma once

#include <cstdint>

#include "runtime/state/code.h"

namespace omnium::runtime {

class CallSites {
 public:
  void clear() { *this = {}; }
  void add(Pc site) {
    for (const Pc seen : sites_) repeated_ |= seen == site;
    sites_[next_++ % kMost] = site;
  }
  bool repeated() const { return repeated_; }

 private:
  static constexpr std::uint32_t kMost = 16;
  Pc sites_[kMost] = {};
  std::uint32_t next_ = 0;
  bool repeated_ = false;
};

}  // namespace omnium::runtime
