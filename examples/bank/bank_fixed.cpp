// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The bank without the bug: transfer() holds both mutexes from the first look at a balance to the
// last change. Always in the same order, so that two transfers cannot wait for each other.
//
// expect: nothing
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>

#include <omnium/atomic.h>

struct Account {
  std::mutex mutex;
  long balance;
};

Account savings{{}, 100};
Account checking{{}, 0};

void deposit(Account& account, long amount) {
  OMNIUM_ATOMIC("deposit");
  std::lock_guard lock(account.mutex);
  account.balance += amount;
}

bool transfer(Account& from, Account& to, long amount) {
  OMNIUM_ATOMIC("transfer");
  const bool in_order = std::less<Account*>{}(&from, &to);
  std::lock_guard first(in_order ? from.mutex : to.mutex);
  std::lock_guard second(in_order ? to.mutex : from.mutex);
  if (from.balance < amount) return false;
  from.balance -= amount;
  to.balance += amount;
  return true;
}

int main() {
  std::thread first([] {
    for (int i = 0; i < 100; ++i) transfer(savings, checking, 1);
  });
  std::thread second([] {
    for (int i = 0; i < 50; ++i) {
      deposit(savings, 1);
      transfer(checking, savings, 1);
    }
  });
  first.join();
  second.join();
  const long total = savings.balance + checking.balance;
  std::printf("100 and 50 deposits of 1 make %ld\n", total);
  return total == 150 ? 0 : 1;
}
