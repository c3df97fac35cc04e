// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "order/dependencies.h"

#include <algorithm>

namespace omnium {

ReaderSets::Handle ReaderSets::create_in(std::size_t size_class) {
  if (pools_.size() <= size_class) pools_.resize(size_class + 1);
  Pool& pool = pools_[size_class];
  const std::size_t capacity = kSmallest << size_class;
  std::uint64_t number;
  if (pool.free.empty()) {
    number = pool.entries.size() / capacity;
    pool.entries.resize(pool.entries.size() + capacity);
  } else {
    number = pool.free.back();
    pool.free.pop_back();
  }
  return std::uint64_t{size_class} << kNumberBits | number;
}

void ReaderSets::destroy(Handle set) {
  std::fill_n(entries_of(set), capacity_of(set), Access());
  pools_[class_of(set)].free.push_back(set & ((std::uint64_t{1} << kNumberBits) - 1));
}

ReaderSets::Handle ReaderSets::grown(Handle set) {
  Handle larger = create_in(class_of(set) + 1) | (set & kHashed);
  for_each(set, [&](Access access) { entry(larger, access.thread()) = access; });
  destroy(set);
  return larger;
}

}  // namespace omnium
