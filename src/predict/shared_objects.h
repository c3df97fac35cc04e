// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What only one thread touches cannot be seen by others [Wang, Stoller 7.3, as far as a trace can
// know]. Which thread came first proves nothing about other interleavings, so an object is shared
// from its first event on.
#pragma once

#include <span>
#include <vector>

#include "event/event.h"

namespace omnium::predict {

class SharedObjects {
 public:
  SharedObjects(std::span<const Event> events, const Extent& extent);

  // Two threads access the variable and some access writes.
  bool variable(VarId x) const { return variables_[x.v].shared && variables_[x.v].written; }
  bool read_only(VarId x) const { return !variables_[x.v].written; }
  // Some access reads and writes it in one.
  bool updated(VarId x) const { return variables_[x.v].updated; }
  // Two threads take the lock.
  bool lock(LockId m) const { return locks_[m.v].shared; }

 private:
  struct Object {
    std::uint32_t thread = ThreadId::kNoneValue;
    bool shared = false;
    bool written = false;
    bool updated = false;
    void touch(std::uint32_t by);
  };

  std::vector<Object> variables_;
  std::vector<Object> locks_;
};

}  // namespace omnium::predict
