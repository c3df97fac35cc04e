// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The account of a customer.
#pragma once

#include <mutex>

#include "rush.h"

struct Statement {
  long at_the_top = 0;
  long at_the_bottom = 0;
};

class Account {
 public:
  void pay(long amount);
  Statement statement();
  Statement summary();

 private:
  long balance();

  std::mutex mutex_;
  long balance_ = 0;
  Rush rush_;
};
