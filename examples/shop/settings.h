// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the manager may change while the shop is open. There is one object of this kind.
#pragma once

#include <shared_mutex>

#include "rush.h"

struct Rates {
  long version = 0;
  long discount = 0;  // per cent
  long tax = 0;       // per cent; always 20 more than the discount
};

class Settings {
 public:
  static Settings& instance();

  long quote(long price);
  Rates snapshot();
  bool replace_if_unchanged(const Rates& seen, long discount);
  void reload();

 private:
  long discount();
  long tax();

  std::shared_mutex mutex_;
  Rates rates_{1, 5, 25};
  Rush rush_;
};
