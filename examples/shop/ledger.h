// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The money of the shop, and the accounts of its customers.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "account.h"
#include "rush.h"

class Ledger {
 public:
  explicit Ledger(int customers);

  void book(long amount);
  void refund(long amount);
  long total();
  Account& account(int customer);  // the set of accounts never changes

 private:
  void set_total(long total);

  std::mutex mutex_;
  long total_ = 0;
  std::map<int, std::unique_ptr<Account>> accounts_;
  Rush rush_;
};
