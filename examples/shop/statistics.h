// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How the day has been so far.
#pragma once

#include <mutex>

#include "rush.h"

struct Figures {
  long sales = 0;
  long revenue = 0;
  long visits = 0;
  long minutes = 0;
};

class Statistics {
 public:
  void count_sale(long revenue);
  void count_visit(long minutes);
  Figures report();

 private:
  std::mutex mutex_;
  long sales_ = 0;
  long revenue_ = 0;
  long visits_ = 0;
  long minutes_ = 0;
  Rush rush_;
};
