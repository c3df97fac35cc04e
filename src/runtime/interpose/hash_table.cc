// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The function of libstdc++ that decides when a std::unordered_map or _set needs more buckets. It
// is in the library, where nobody sees what it reads and writes.
#include <cstddef>

#include "runtime/interpose/real.h"
#include "runtime/interpose/touched.h"

namespace omnium::runtime {

// std::__detail::_Prime_rehash_policy, as in <bits/hashtable_policy.h>.
struct GrowthPolicy {
  float load;
  std::size_t next_growth;
};

struct Growth {
  bool needed;
  std::size_t buckets;
};

namespace {

OMNIUM_REAL_AS(real_need_rehash, Growth(GrowthPolicy*, std::size_t, std::size_t, std::size_t),
               "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm");

}  // namespace

OMNIUM_INTERPOSE Growth _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
    GrowthPolicy* policy, std::size_t buckets, std::size_t elements, std::size_t more) {
  const Pc pc = OMNIUM_USER_PC();
  const std::size_t before = policy->next_growth;
  library_reads(&policy->next_growth, sizeof(policy->next_growth), pc);
  const Growth growth = real_need_rehash(policy, buckets, elements, more);
  if (policy->next_growth != before) {
    library_writes(&policy->next_growth, sizeof(policy->next_growth), pc);
  }
  return growth;
}

}  // namespace omnium::runtime
