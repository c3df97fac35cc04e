// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <mutex>

#include "annotations.h"

Settings& Settings::instance() {
  static Settings settings;
  return settings;
}

long Settings::discount() {
  std::shared_lock lock(mutex_);
  return rates_.discount;
}

long Settings::tax() {
  std::shared_lock lock(mutex_);
  return rates_.tax;
}

// The price to be paid, by one pair of rates.
long Settings::quote(long price) {
  OMNIUM_ATOMIC("Settings::quote");
#ifdef SHOP_FIXED
  const Rates rates = snapshot();
  return price * (100 - rates.discount + rates.tax) / 100;
#else
  const long less = discount();
  rush_.let_another_pass();
  const long more = tax();  // Bug: the manager may have replaced both in between.
  return price * (100 - less + more) / 100;
#endif
}

// Correct: both rates are read in one critical section, and many threads can be in there.
Rates Settings::snapshot() {
  OMNIUM_ATOMIC("Settings::snapshot");
  std::shared_lock lock(mutex_);
  return rates_;
}

// Correct: the version says whether anything has changed since the caller looked.
bool Settings::replace_if_unchanged(const Rates& seen, long discount) {
  OMNIUM_ATOMIC("Settings::replace_if_unchanged");
  std::unique_lock lock(mutex_);
  if (rates_.version != seen.version) return false;
  rates_.version += 1;
  rates_.discount = discount;
  rates_.tax = discount + 20;
  return true;
}

void Settings::reload() {
  Rates seen = snapshot();
  while (!replace_if_unchanged(seen, (seen.discount + 1) % 10)) seen = snapshot();
  rush_.pass();
}
