// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "account.h"

#include "annotations.h"

void Account::pay(long amount) {
  {
    OMNIUM_ATOMIC("Account::pay");
    std::lock_guard lock(mutex_);
    balance_ += amount;
  }
  rush_.pass();
}

long Account::balance() {
  std::lock_guard lock(mutex_);
  return balance_;
}

// Both lines of a statement must show the same balance.
Statement Account::statement() {
#ifdef SHOP_FIXED
  return summary();
#else
  OMNIUM_ATOMIC("Account::statement");
  Statement statement;
  statement.at_the_top = balance();
  rush_.let_another_pass();
  statement.at_the_bottom = balance();  // Bug: the customer may have paid in between.
  return statement;
#endif
}

// Correct: reads twice as well, but in one critical section.
Statement Account::summary() {
  OMNIUM_ATOMIC("Account::summary");
  std::lock_guard lock(mutex_);
  Statement statement;
  statement.at_the_top = balance_;
  statement.at_the_bottom = balance_;
  return statement;
}
