// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "statistics.h"

#include "annotations.h"

// Sales and revenue belong together: report() divides one by the other.
void Statistics::count_sale(long revenue) {
  OMNIUM_ATOMIC("Statistics::count_sale");
#ifdef SHOP_FIXED
  std::lock_guard lock(mutex_);
  sales_ += 1;
  revenue_ += revenue;
#else
  {
    std::lock_guard lock(mutex_);
    sales_ += 1;
  }
  rush_.let_another_pass();
  std::lock_guard lock(mutex_);
  revenue_ += revenue;  // Bug: a report in between has one sale too many.
#endif
}

// Correct: one critical section.
void Statistics::count_visit(long minutes) {
  OMNIUM_ATOMIC("Statistics::count_visit");
  std::lock_guard lock(mutex_);
  visits_ += 1;
  minutes_ += minutes;
}

Figures Statistics::report() {
  Figures figures;
  {
    OMNIUM_ATOMIC("Statistics::report");
    std::lock_guard lock(mutex_);
    figures = {sales_, revenue_, visits_, minutes_};
  }
  rush_.pass();
  return figures;
}
