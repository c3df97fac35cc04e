// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "ledger.h"

#include "annotations.h"

Ledger::Ledger(int customers) {
  for (int i = 0; i < customers; ++i) accounts_.emplace(i, std::make_unique<Account>());
}

// Correct: one critical section.
void Ledger::book(long amount) {
  {
    OMNIUM_ATOMIC("Ledger::book");
    std::lock_guard lock(mutex_);
    total_ += amount;
  }
  rush_.pass();
}

void Ledger::refund(long amount) {
  OMNIUM_ATOMIC("Ledger::refund");
#ifdef SHOP_FIXED
  std::lock_guard lock(mutex_);
  total_ -= amount;
#else
  const long before = total();
  rush_.let_another_pass();
  set_total(before - amount);  // Bug: what was booked in between is lost.
#endif
}

long Ledger::total() {
  std::lock_guard lock(mutex_);
  return total_;
}

void Ledger::set_total(long total) {
  std::lock_guard lock(mutex_);
  total_ = total;
}

Account& Ledger::account(int customer) { return *accounts_.at(customer); }
