// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "finding/collector.h"

#include <algorithm>

namespace omnium {

void Collector::violation(Violation violation) {
  ++instances_;
  open_.push_back(violations_.size());
  violations_.push_back(std::move(violation));
}

void Collector::transaction_ended(const BlockRef& transaction, EventIndex end) {
  std::erase_if(open_, [&](std::size_t at) {
    if (violations_[at].transaction != transaction) return false;
    violations_[at].end = end;
    return true;
  });
}

}  // namespace omnium
