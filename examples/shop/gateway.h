// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Asks the bank.
#pragma once

#include "connection_pool.h"
#include "rush.h"

class Gateway {
 public:
  explicit Gateway(int connections) : pool_(connections) {}

  bool authorise(long amount);
  bool verify(long card);

 private:
  ConnectionPool pool_;
  Rush rush_;
};
