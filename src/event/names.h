// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The names behind the dense ids of one trace. Threads, variables, locks, labels, locations and
// signals are separate name spaces: a variable and a lock may share a name.
#pragma once

#include <string>
#include <string_view>

#include "event/event.h"
#include "support/interner.h"

namespace omnium {

struct Names {
  support::Interner threads;
  support::Interner variables;
  support::Interner locks;
  support::Interner labels;  // the empty name is the label of a plain `begin`
  support::Interner locations;
  support::Interner signals;

  Extent extent() const {
    return {threads.size(), variables.size(), locks.size(), labels.size(), signals.size()};
  }
};

// The name of a signal that nobody awaits. Directly before the acquire of a lock with this name, it
// says that the acquire was a try, which cannot deadlock.
// The signal of this name comes after all earlier ones of the other name, in every interleaving. It
// has waited for nobody, and is no conflict.
inline std::string name_of_last(std::string_view signal) {
  return std::string("last:").append(signal);
}
inline std::string name_of_try(std::string_view lock) { return std::string("try ").append(lock); }

}  // namespace omnium
