// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cache.h"

#include <mutex>

#include "annotations.h"

namespace {

std::shared_ptr<const Description> describe(int product) {
  return std::make_shared<Description>(Description{"product " + std::to_string(product)});
}

}  // namespace

std::shared_ptr<const Description> Cache::find(int product) {
  OMNIUM_ATOMIC("Cache::find");
  std::shared_lock lock(mutex_);
  const auto found = entries_.find(product);
  return found == entries_.end() ? nullptr : found->second;
}

// There must never be two descriptions of one product.
std::shared_ptr<const Description> Cache::get_or_create(int product) {
#ifdef SHOP_FIXED
  return get(product);
#else
  OMNIUM_ATOMIC("Cache::get_or_create");
  if (auto found = find(product)) return found;
  auto made = describe(product);
  rush_.let_another_pass();
  std::unique_lock lock(mutex_);
  entries_[product] = made;  // Bug: somebody else may have made one, too.
  return made;
#endif
}

// Correct: what was found is good for ever, and who found nothing looks again before it inserts.
// Only that second look has to be atomic.
std::shared_ptr<const Description> Cache::get(int product) {
  if (auto found = find(product)) return found;
  return insert_if_absent(product);
}

std::shared_ptr<const Description> Cache::insert_if_absent(int product) {
  std::shared_ptr<const Description> made = describe(product);
  {
    OMNIUM_ATOMIC("Cache::insert_if_absent");
    std::unique_lock lock(mutex_);
    const auto [entry, is_new] = entries_.try_emplace(product, made);
    if (!is_new) made = entry->second;
  }
  rush_.pass();
  return made;
}

void Cache::evict_all() {
  {
    OMNIUM_ATOMIC("Cache::evict_all");
    std::unique_lock lock(mutex_);
    entries_.clear();
  }
  rush_.pass();
}
