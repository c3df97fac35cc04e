// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A bank under locks: transfers between random accounts, each of which has a mutex, and looks at
// two balances at once. SIZE is the number of operations.
//
// expect: nothing
// arguments: 3 2000
// predict: nothing
#include <mutex>

#include "kernel.h"

namespace {

constexpr std::size_t kAccounts = 4096;

struct Account {
  std::mutex mutex;
  std::int64_t balance = 1000;
  std::int64_t operations = 0;
};

Account accounts[kAccounts];

void transfer(std::size_t from, std::size_t to, std::int64_t amount) {
  OMNIUM_ATOMIC("transfer");
  std::lock_guard first(accounts[std::min(from, to)].mutex);
  std::lock_guard second(accounts[std::max(from, to)].mutex);
  accounts[from].balance -= amount;
  accounts[from].operations += 1;
  accounts[to].balance += amount;
  accounts[to].operations += 1;
}

std::int64_t look(std::size_t account) {
  OMNIUM_ATOMIC("look");
  std::lock_guard lock(accounts[account].mutex);
  return accounts[account].balance;
}

}  // namespace

int main(int count, char** values) {
  const auto [threads, size] = arguments(count, values, 4'000'000);
  run_threads(threads, [threads = threads, size = size](int thread) {
    Random random(static_cast<std::uint64_t>(thread) + 1);
    std::int64_t seen = 0;
    for (long i = 0; i < size / threads; ++i) {
      const std::size_t from = random.below(kAccounts);
      const std::size_t to = (from + 1 + random.below(kAccounts - 1)) % kAccounts;
      if (i % 4 == 0) {
        seen += look(from);
      } else {
        transfer(from, to, static_cast<std::int64_t>(random.below(100)));
      }
    }
    if (seen == 1) std::puts("unlikely");
  });
  std::uint64_t sum = 0;
  for (const Account& account : accounts) {
    sum = mix(mix(sum, static_cast<std::uint64_t>(account.balance)),
              static_cast<std::uint64_t>(account.operations));
  }
  return print_checksum(sum);
}
