// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "catalogue.h"

#include <mutex>
#include <vector>

#include "annotations.h"

namespace {

std::once_flag loaded;
std::vector<int> prices;

void load() {
  for (int price = 100; price <= 800; price += 100) prices.push_back(price);
}

}  // namespace

// Correct: whoever comes first loads it, and the others wait for that.
int price_of(int product) {
  OMNIUM_ATOMIC("price_of");
  std::call_once(loaded, load);
  return prices[static_cast<std::size_t>(product) % prices.size()];
}
